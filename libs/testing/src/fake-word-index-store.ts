import { isWithin, type Limits, NO_LIMITS } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import type { EntryContents, WordIndexStore } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import { hasValues, isCreatedWithin, type OfWorkspace } from './fake-store.ts';

/** The words of a workspace in memory. */
export function wordsOver(database: FakeDatabase): OfWorkspace<WordIndexStore> {
  const { rows } = database;
  function contentsWhere(isWanted: (entryLeaf: number, recordLeaf: number) => boolean): readonly EntryContents[] {
    return rows.sealed_contents.flatMap((sealed) => {
      const event = rows.lifecycle_events.find(({ id }) => id === sealed.object_id);
      const record = rows.answer_records.find(({ id }) => id === (event?.record_id ?? sealed.object_id));
      if (record === undefined) return [];
      const entryLeaf = database.leafOf(sealed.object_id).leaf_index;
      if (!isWanted(entryLeaf, record.leaf_index)) return [];
      return [{ isRecord: event === undefined, recordLeaf: record.leaf_index, sealed }];
    });
  }
  const leavesOf = (tokens: readonly Uint8Array[], within: Limits) => {
    const sought = new Set(tokens.map(formatHex));
    const own = new Set(rows.answer_records.filter((row) => isWithin(within, row)).map((row) => row.leaf_index));
    return rows.word_tokens
      .filter(({ token, leaf_index: leaf }) => sought.has(formatHex(token)) && own.has(leaf))
      .map((row) => row.leaf_index);
  };
  return {
    find: () => rows.word_indexes[0],
    begin(index) {
      if (rows.word_indexes.length === 0) rows.word_indexes = [index];
    },
    drop() {
      rows.word_indexes = [];
      rows.word_tokens = [];
      return false;
    },
    isBehind: (fromLeaf) => contentsWhere((entryLeaf) => entryLeaf >= fromLeaf).length > 0,
    readContents: (fromLeaf, toLeaf) => contentsWhere((entryLeaf) => entryLeaf >= fromLeaf && entryLeaf < toLeaf),
    readRecords: (leaves) => contentsWhere((_entryLeaf, recordLeaf) => leaves.includes(recordLeaf)),
    add(from, to, contents) {
      const [index] = rows.word_indexes;
      if (index?.next_leaf !== from.next_leaf || formatHex(index.salt) !== formatHex(from.salt)) return false;
      rows.word_indexes = [to];
      for (const { sealed, recordLeaf, tokens } of contents)
        if (rows.sealed_contents.includes(sealed))
          rows.word_tokens.push(...tokens.map((token) => ({ token, leaf_index: recordLeaf })));
      return true;
    },
    search(words, filters, limit) {
      const all = words.map((tokens) => leavesOf(tokens, filters.within ?? NO_LIMITS));
      const leaves = rows.answer_records
        .filter(
          (record) =>
            hasValues(record, filters, ['application_key', 'environment']) &&
            isCreatedWithin(filters, database.leafOf(record.id).at),
        )
        .map((record) => record.leaf_index)
        .filter((leaf) => all.length > 0 && all.every((one) => one.includes(leaf)))
        .toSorted((one, other) => other - one);
      const counts = all.map(({ length }) => length);
      return { leaves: leaves.slice(0, limit), counts, isLimited: false };
    },
    findKnown: (tokens, within) => tokens.flatMap((token, at) => (leavesOf([token], within).length > 0 ? [at] : [])),
  };
}
