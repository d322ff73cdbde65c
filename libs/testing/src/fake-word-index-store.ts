import { isWithin, type Limits, NO_LIMITS } from '@answer-evidence/contracts';
import { formatHex, parseTimestamp } from '@answer-evidence/encoding';
import type { EntryContents, WordIndexStore } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';

/** The words of a workspace in memory. */
export function createFakeWordIndexStore(database: FakeDatabase, workspaceId: string): WordIndexStore {
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
    find: (asked) => Promise.resolve(asked === workspaceId ? rows.word_indexes[0] : undefined),
    begin(_, index) {
      if (rows.word_indexes.length === 0) rows.word_indexes = [index];
      return Promise.resolve();
    },
    drop() {
      rows.word_indexes = [];
      rows.word_tokens = [];
      return Promise.resolve(false);
    },
    isBehind: (_, fromLeaf) => Promise.resolve(contentsWhere((entryLeaf) => entryLeaf >= fromLeaf).length > 0),
    readContents: (_, fromLeaf, toLeaf) =>
      Promise.resolve(contentsWhere((entryLeaf) => entryLeaf >= fromLeaf && entryLeaf < toLeaf)),
    readRecords: (_, leaves) => Promise.resolve(contentsWhere((_entryLeaf, recordLeaf) => leaves.includes(recordLeaf))),
    add(_, from, to, contents) {
      const [index] = rows.word_indexes;
      if (index?.next_leaf !== from.next_leaf || formatHex(index.salt) !== formatHex(from.salt))
        return Promise.resolve(false);
      rows.word_indexes = [to];
      for (const { sealed, recordLeaf, tokens } of contents)
        if (rows.sealed_contents.includes(sealed))
          rows.word_tokens.push(...tokens.map((token) => ({ token, leaf_index: recordLeaf })));
      return Promise.resolve(true);
    },
    search(_, words, filters, limit) {
      const {
        created_after: after,
        created_before: before,
        application_key: application,
        environment,
        within = NO_LIMITS,
      } = filters;
      const all = words.map((tokens) => leavesOf(tokens, within));
      const leaves = rows.answer_records
        .filter((record) => {
          const { at } = database.leafOf(record.id);
          return (
            (application ?? record.application_key) === record.application_key &&
            (environment ?? record.environment) === record.environment &&
            (after === undefined || at >= parseTimestamp(after)) &&
            (before === undefined || at < parseTimestamp(before))
          );
        })
        .map((record) => record.leaf_index)
        .filter((leaf) => all.length > 0 && all.every((one) => one.includes(leaf)))
        .toSorted((one, other) => other - one);
      const counts = all.map(({ length }) => length);
      return Promise.resolve({ leaves: leaves.slice(0, limit), counts, isLimited: false });
    },
    findKnown: (_, tokens, within) =>
      Promise.resolve(tokens.flatMap((token, at) => (leavesOf([token], within).length > 0 ? [at] : []))),
  };
}
