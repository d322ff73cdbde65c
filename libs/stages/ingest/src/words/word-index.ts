import { equalSecrets } from '@answer-evidence/digest';
import { openEvent, openRecord } from '@answer-evidence/ledger';
import { type EntryContents, VaultError, type WordIndexRow, type WorkspaceVault } from '@answer-evidence/ports';
import { listWords } from './list-words.ts';

/** The members of sealed texts that are searched. In each of them equal words have tokens of their own. */
export const INDEXED_FIELDS: readonly string[] = ['question', 'answer', 'corrected_answer'];

type IndexState = Omit<WordIndexRow, 'mac'>;

/** A state of the index of a workspace, under a MAC. */
export function formatWordIndex({ mac }: Pick<WorkspaceVault, 'mac'>, state: IndexState): WordIndexRow {
  const { salt, made_under: madeUnder, next_leaf: nextLeaf } = state;
  return { ...state, mac: mac('word_indexes', [salt, madeUnder, nextLeaf]) };
}

/** Whether an index can be read: nobody altered its row, and it is not being taken away. */
export function isReadable(vault: Pick<WorkspaceVault, 'mac'>, index: WordIndexRow | undefined): index is WordIndexRow {
  return index !== undefined && index.salt.length > 0 && equalSecrets(index.mac, formatWordIndex(vault, index).mac);
}

/** The words of the fields that are searched; none of altered contents, which anyone who reads them is told. */
export function wordsOf(
  vault: WorkspaceVault,
  { isRecord, sealed }: EntryContents,
): readonly (readonly [field: string, words: readonly string[]])[] {
  try {
    const { texts } = isRecord ? openRecord(vault, sealed) : openEvent(vault, sealed);
    return Object.entries(texts ?? {}).flatMap(([field, text]) =>
      INDEXED_FIELDS.includes(field) && typeof text === 'string' ? [[field, listWords(text)] as const] : [],
    );
  } catch (error) {
    if (error instanceof VaultError) return [];
    throw error;
  }
}
