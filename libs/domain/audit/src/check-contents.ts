import {
  commitKeyed,
  COMMITMENT_KEY_BYTES,
  commitPlain,
  type CommittedField,
  hashItem,
} from '@answer-evidence/commitments';
import type { CoreCommitment, EventCore, JsonObject, RecordCore } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import type { SaltedItem, SealedRow } from '@answer-evidence/tables';
import { type Erasure, isExpired } from '@answer-evidence/verify/erasure';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { ContentReader } from './ledger-reader.ts';
import { readItem, readItems, readText } from './opened-contents.ts';

/** An object with what is stored of its erasable contents. */
export type Contents = {
  readonly leafIndex: number;
  readonly sealed: SealedRow | undefined;
  /** Until when the retention of the record keeps them. */
  readonly keptUntil: number;
} & ({ readonly kind: 'record'; readonly core: RecordCore } | { readonly kind: 'event'; readonly core: EventCore });

type Item = SaltedItem<JsonObject | string> | null;
type Text = { readonly name: string; readonly field: CommittedField; readonly commitment: CoreCommitment | null };
type CommittedItem = {
  readonly name: string;
  readonly hash: string | null;
  readonly erased: boolean;
  readonly item: Item;
};

/**
 * Checks the erasable contents of a record or an event against its core: whatever the core says was stored, and no leaf
 * erased, exists and matches; whatever was erased is gone, with its salts and keys. Throws `CheckFailure`. Each item is
 * a piece of work with a `turn`: there may be hundreds, of 1 MiB together.
 */
export async function checkContents(
  contents: Contents,
  erasure: Erasure,
  reader: ContentReader,
  turn: () => Promise<void>,
): Promise<void> {
  const { sealed, leafIndex } = contents;
  const opened = sealed === undefined ? { texts: null, items: null } : await openRow(sealed, reader);
  if (sealed !== undefined && sealed.texts === null && sealed.items === null) {
    throw new CheckFailure('a key is stored although its contents are missing');
  }
  // What was put on hold is due when a hold is released; whether one covers it is judged with the holds.
  if (sealed !== undefined && sealed.due_at > contents.keptUntil && sealed.due_at < HELD_FROM) {
    throw new CheckFailure('its contents would be stored longer than their retention');
  }
  const expired = isExpired(erasure, leafIndex);
  await checkTexts(textsOf(contents), opened.texts, erasure.redacted || expired, reader);
  await turn();
  const items =
    contents.kind === 'record'
      ? recordItems(contents.core, opened.items, erasure)
      : eventItems(contents.core, opened.items, erasure);
  for (const item of items) {
    await turn();
    checkItem(item, expired);
  }
  if (opened.items !== null && items.every(({ item }) => item === null)) {
    throw new CheckFailure('contents are stored although they are empty');
  }
}

async function openRow(sealed: SealedRow, reader: ContentReader) {
  try {
    return await reader.openSealed(sealed);
  } catch {
    throw new CheckFailure('its contents were altered: its key does not decrypt them');
  }
}

function textsOf(contents: Contents): readonly Text[] {
  const { kind, core } = contents;
  if (kind === 'event') return [{ name: 'corrected_answer', field: 'answer', commitment: core.corrected_answer }];
  return [
    { name: 'question', field: 'question', commitment: core.question },
    { name: 'answer', field: 'answer', commitment: core.answer },
  ];
}

async function checkTexts(
  texts: readonly Text[],
  opened: unknown,
  gone: boolean,
  reader: ContentReader,
): Promise<void> {
  const salt = readText(opened, 'salt');
  // Of a text that was discarded the salt is still kept: the commitment can then be tested by anyone who has the text.
  const needsSalt = !gone && texts.some(({ commitment }) => (commitment?.hash_key_id ?? null) !== null);
  if (needsSalt !== (salt !== null)) {
    throw new CheckFailure(
      needsSalt ? 'the salt of its keyed commitments is missing' : 'a salt is stored that should have been erased',
    );
  }
  for (const { name, field, commitment } of texts) {
    const text = readText(opened, name);
    const isStored = commitment?.text_state === 'stored' && !gone;
    if (isStored !== (text !== null)) {
      throw new CheckFailure(
        isStored ? `the text of ${name} is missing` : `the text of ${name} is stored and should not be`,
      );
    }
    if (text === null || commitment === null) continue;
    assertSame(`the commitment to ${name}`, commitment.hash, await commit(commitment, field, text, salt, reader));
  }
  if (opened !== null && salt === null && texts.every(({ name }) => readText(opened, name) === null)) {
    throw new CheckFailure('texts are stored although they are empty');
  }
}

async function commit(
  commitment: CoreCommitment,
  field: CommittedField,
  text: string,
  salt: string | null,
  reader: ContentReader,
): Promise<string> {
  if (commitment.hash_key_id === null) return commitPlain(text);
  if (salt === null) throw new CheckFailure('the salt of its keyed commitments is missing');
  const key = await reader.recordKey(commitment.hash_key_id, parseHex(salt, COMMITMENT_KEY_BYTES));
  return commitKeyed(key, field, text);
}

function recordItems(core: RecordCore, opened: unknown, erasure: Erasure): readonly CommittedItem[] {
  const semantic = readItems(opened, 'semantic_refs');
  const sources = readItems(opened, 'source_refs');
  if (opened !== null) {
    assertSame('the number of semantic references', core.semantic_refs.length, semantic.length);
    assertSame('the number of source references', core.source_refs.length, sources.length);
  }
  return [
    ...core.semantic_refs.map((hash, i) => {
      return { name: `semantic reference ${i + 1}`, hash, erased: erasure.semanticRefs, item: semantic[i] ?? null };
    }),
    ...core.source_refs.map(({ source_ref_id: id, hash }, i) => {
      return { name: `source reference ${id}`, hash, erased: erasure.sourceRefIds.has(id), item: sources[i] ?? null };
    }),
  ];
}

function eventItems(core: EventCore, opened: unknown, { eventIds }: Erasure): readonly CommittedItem[] {
  const erased = eventIds.has(core.id);
  return [
    { name: 'reason', hash: core.reason_hash, erased, item: readItem(opened, 'reason') },
    { name: 'payload', hash: core.payload_rest_hash, erased, item: readItem(opened, 'payload_rest') },
  ];
}

function checkItem({ name, hash, erased, item }: CommittedItem, expired: boolean): void {
  const isStored = hash !== null && !erased && !expired;
  if (isStored !== (item !== null)) {
    throw new CheckFailure(isStored ? `${name} is missing` : `${name} is stored and should not be`);
  }
  if (item !== null && hash !== null) assertSame(`the hash of ${name}`, hash, hashItem(item.salt, item.item));
}
