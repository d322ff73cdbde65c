import type pg from 'pg';
import type { EntryContents, WordIndexRow, WordIndexStore } from '@answer-evidence/ports';
import { formatNoteOfErasure } from '../append/note-erasure.ts';
import { type JoinedRow, SEALED_SELECT, sealedOf } from '../rows/rows.ts';
import { readRow, readRows, readWorkspace, writeRows, writeWorkspace } from '../session.ts';
import { findKnownTokens, searchTokens } from './search-tokens.ts';

/** Tokens that one transaction takes away. */
const DROPPED_MAX = 50_000;
/** Entries that are looked at for one with a text; an index that is further behind is behind anyway. */
const LOOKED_AHEAD_MAX = 1_000;

const WITH_TEXTS = `('answer_recorded', 'lifecycle_event')`;

/** Tokens of words in PostgreSQL; what erases texts erases them in `formatErasures`. */
export function createWordIndexStore(pool: pg.Pool): WordIndexStore {
  return {
    find: (workspaceId) =>
      readRow<WordIndexRow>(
        pool,
        'word_index',
        'select salt, made_under, next_leaf, mac from answer_evidence.word_indexes where workspace_id = $1',
        [workspaceId],
      ),

    begin: (workspaceId, { salt, made_under, next_leaf, mac }) =>
      writeRows(
        pool,
        'begin_word_index',
        `insert into answer_evidence.word_indexes (workspace_id, salt, made_under, next_leaf, mac)
           values ($1, $2, $3, $4, $5) on conflict do nothing`,
        [workspaceId, salt, made_under, next_leaf, mac],
      ),

    drop: (workspaceId) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        const { name, text, values } = formatNoteOfErasure([]);
        await query(name, text, values);
        // First, so that whatever adds tokens meanwhile either has done so, or finds another index and adds none.
        await query(
          'end_word_index',
          `update answer_evidence.word_indexes set salt = '' where workspace_id = $1 and salt <> ''`,
          [workspaceId],
        );
        const [dropped] = await query<{ count: number }>(
          'drop_words',
          `with batch as (select leaf_index, token from answer_evidence.word_tokens where workspace_id = $1
               order by token, leaf_index limit ${DROPPED_MAX}),
             gone as (delete from answer_evidence.word_tokens t using batch
               where t.workspace_id = $1 and t.token = batch.token and t.leaf_index = batch.leaf_index returning 1)
           select count(*) as count from gone`,
          [workspaceId],
        );
        if ((dropped?.count ?? 0) === DROPPED_MAX) return true;
        await query('forget_word_index', 'delete from answer_evidence.word_indexes where workspace_id = $1', [
          workspaceId,
        ]);
        return false;
      }),

    async isBehind(workspaceId, fromLeaf) {
      const row = await readRow<{ behind: boolean }>(
        pool,
        'words_behind',
        `select coalesce(bool_or(type in ${WITH_TEXTS}), false) or count(*) > ${LOOKED_AHEAD_MAX} as behind
           from (select type from answer_evidence.ledger_leaves
             where workspace_id = $1 and leaf_index >= $2 order by leaf_index limit ${LOOKED_AHEAD_MAX + 1}) ahead`,
        [workspaceId, fromLeaf],
      );
      return row?.behind === true;
    },

    async readContents(workspaceId, fromLeaf, toLeaf) {
      const rows = await readRows<JoinedRow>(
        pool,
        'contents_of_entries',
        `select l.type = 'answer_recorded' as is_record, r.leaf_index as record_leaf, ${SEALED_SELECT}, c.texts as c_texts
           from (select x.type, x.id, x.subject from answer_evidence.ledger_leaves x
               where x.workspace_id = $1 and x.leaf_index >= $2 and x.leaf_index < $3
                 and x.type in ${WITH_TEXTS} offset 0) l
           join lateral (select * from answer_evidence.sealed_contents x
               where x.workspace_id = $1 and x.object_id = l.id offset 0) c on true
           join lateral (select x.leaf_index from answer_evidence.answer_records x
               where x.workspace_id = $1 and x.id = l.subject offset 0) r on true`,
        [workspaceId, fromLeaf, toLeaf],
      );
      return rows.flatMap(toContents);
    },

    async readRecords(workspaceId, recordLeaves) {
      const rows = await readRows<JoinedRow>(
        pool,
        'contents_of_records',
        `select o.is_record, r.leaf_index as record_leaf, ${SEALED_SELECT}, c.texts as c_texts
           from (select x.id, x.leaf_index from unnest($2::bigint[]) a (leaf_index)
             cross join lateral (select * from answer_evidence.answer_records x
               where x.workspace_id = $1 and x.leaf_index = a.leaf_index offset 0) x) r
           join lateral (select r.id, true as is_record union all
             select x.id, false from answer_evidence.lifecycle_events x
               where x.workspace_id = $1 and x.record_id = r.id offset 0) o on true
           join lateral (select * from answer_evidence.sealed_contents x
               where x.workspace_id = $1 and x.object_id = o.id offset 0) c on true`,
        [workspaceId, recordLeaves],
      );
      return rows.flatMap(toContents);
    },

    add: (workspaceId, from, to, contents) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        const moved = await query(
          'move_word_index',
          `update answer_evidence.word_indexes set next_leaf = $4, mac = $5
             where workspace_id = $1 and salt = $2 and next_leaf = $3 returning next_leaf`,
          [workspaceId, from.salt, from.next_leaf, to.next_leaf, to.mac],
        );
        if (moved.length === 0) return false;
        if (contents.length === 0) return true;
        // Locked until the tokens are committed: an erasure that begins meanwhile waits, and then sees them. What it
        // sealed anew under the same id has another key.
        const kept = await query<{ object_id: string; wrapped_key: Uint8Array }>(
          'keep_indexed_contents',
          `select object_id, wrapped_key from answer_evidence.sealed_contents
             where workspace_id = $1 and object_id = any($2::uuid[]) for key share`,
          [workspaceId, contents.map(({ sealed }) => sealed.object_id)],
        );
        const keys = new Map(kept.map((row) => [row.object_id, row.wrapped_key]));
        const tokens: Buffer[] = [];
        const leaves: number[] = [];
        for (const { sealed, recordLeaf, tokens: own } of contents) {
          const key = keys.get(sealed.object_id);
          if (key === undefined || Buffer.compare(key, sealed.wrapped_key) !== 0) continue;
          for (const token of own) {
            tokens.push(Buffer.from(token));
            leaves.push(recordLeaf);
          }
        }
        await query(
          'insert_words',
          `insert into answer_evidence.word_tokens (workspace_id, token, leaf_index)
             select $1, t.token, t.leaf_index from unnest($2::bytea[], $3::bigint[]) t (token, leaf_index)
             on conflict do nothing`,
          [workspaceId, tokens, leaves],
        );
        return true;
      }),

    search: (workspaceId, words, filters, limit) =>
      readWorkspace(pool, workspaceId, (query) => searchTokens(query, workspaceId, words, filters, limit)),

    findKnown: (workspaceId, tokens, within) =>
      readWorkspace(pool, workspaceId, (query) => findKnownTokens(query, workspaceId, tokens, within)),
  };
}

function toContents(row: JoinedRow): readonly EntryContents[] {
  const sealed = sealedOf(row);
  return sealed === undefined
    ? []
    : [{ isRecord: row['is_record'] as boolean, recordLeaf: row['record_leaf'] as number, sealed }];
}
