import type { Ticker, Workspace } from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { formatWordIndex, isReadable, wordsOf } from '../words/word-index.ts';

const INTERVAL_MS = 2_000;
/** Entries whose texts are opened together: with the longest texts, some 30 MB. */
const ENTRIES_MAX = 64;
/** Batches of one workspace before the next one has its turn. */
const BATCHES_MAX = 32;

/**
 * Follows each log whose words are searched for, from where its index is, and adds the words of texts that are still
 * there. An index that was begun today is filled the same way, and goes on after a restart where it was. No create
 * waits for it.
 */
export function indexWordsTicker(deps: IngestDeps): Ticker {
  return {
    name: 'index-words',
    intervalMs: INTERVAL_MS,
    work: () => [{ kind: 'unindexed-words' }],
    async run(signal) {
      for (let isMore = true; isMore && !signal.aborted;) {
        isMore = false;
        for (const { workspace, treeSize } of await deps.work.withUnindexedWords())
          if (await follow(deps, workspace, treeSize, signal)) isMore = true;
      }
    },
  };
}

/** Indexes some entries; returns whether this process has more to do. */
async function follow(
  { words, turn }: IngestDeps,
  workspace: Workspace,
  treeSize: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, vault } = workspace;
  let index = await words.find(id);
  for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch++) {
    // One that was altered or is being taken away is for the ticker that keeps indexes.
    if (!isReadable(vault, index) || index.next_leaf >= treeSize) return false;
    const toLeaf = Math.min(index.next_leaf + ENTRIES_MAX, treeSize);
    const tokenOf = vault.createTokenizer(index.salt);
    const added = [];
    for (const contents of await words.readContents(id, index.next_leaf, toLeaf)) {
      const tokens = wordsOf(vault, contents).flatMap(([field, all]) => all.map((word) => tokenOf(field, word)));
      added.push({ ...contents, tokens });
      await turn();
    }
    const next = formatWordIndex(vault, { ...index, next_leaf: toLeaf });
    // Another process was faster, or the index is being taken away.
    if (!(await words.add(id, index, next, added))) return false;
    index = next;
  }
  return true;
}
