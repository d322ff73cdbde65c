import type pg from 'pg';
import type { WorkspaceEntryFilters } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import { type LeafPage, StoredDamageError, type StoredEntry, type WorkspaceEntryStore } from '@answer-evidence/ports';
import { LEAVES, WORKSPACE_ENTRIES, type WorkspaceEntryRow } from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import { aliased, type JoinedRow, LEAF_SELECT, leafOf, pick } from '../rows/rows.ts';
import { type Query, readWorkspace } from '../session.ts';

const ENTRY_SELECT = aliased('w', WORKSPACE_ENTRIES);
const TREE_SIZE = '(select tree_size from answer_evidence.ledger_heads where workspace_id = $1)';

/** By the place that the row claims; whether the leaf there is its own is compared afterwards. */
const WITH_LEAF = `left join lateral (select ${LEAVES.columns.join(', ')} from answer_evidence.ledger_leaves x
  where x.workspace_id = $1 and x.leaf_index = w.leaf_index offset 0) l on true`;

const PROOF_ENTRIES_MAX = 1_000;
const OF_PROOF_LINKS = "w.type in ('proof_link_made', 'proof_link_opened', 'proof_link_revoked')";
/** As in the index of these entries. */
const LINKED_RECORD = `substring(w.core_json from '"answer_log_id":"([0-9a-f-]{36})"')`;
/** The entry that made a link has its id. */
const LINK_ID = `coalesce(substring(w.core_json from '"proof_link_id":"([0-9a-f-]{36})"'), w.id::text)`;

/** Types of which each entry holds the whole version, whose numbers are their `seq`. */
const VERSIONED: readonly string[] = ['settings_changed', 'trust_policy_changed'];

/** Reads of the entries about workspaces on PostgreSQL. */
export function createWorkspaceEntryStore(pool: pg.Pool): WorkspaceEntryStore {
  return {
    list: (workspaceId, filters, page) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const counted = whereOf(workspaceId, filters);
        const listed = whereOf(workspaceId, filters, page);
        const [rows, count] = await Promise.all([
          query<JoinedRow>(
            listed.name,
            `select ${ENTRY_SELECT}, ${LEAF_SELECT}
               from (select * from answer_evidence.workspace_entries w where ${listed.sql}
                 order by w.leaf_index desc offset ${listed.add(page.offset)} limit ${listed.add(page.limit)}) w
               ${WITH_LEAF} order by w.leaf_index desc`,
            listed.values,
          ),
          countRows(
            query,
            `${counted.name}_counted`,
            `from answer_evidence.workspace_entries w where ${counted.sql}`,
            counted.values,
          ),
        ]);
        return { items: await withVersionsBefore(query, workspaceId, rows), ...count };
      }),
    find: (workspaceId, entryId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<JoinedRow>(
          'workspace_entry',
          `select ${ENTRY_SELECT}, ${LEAF_SELECT} from answer_evidence.workspace_entries w ${WITH_LEAF}
             where w.workspace_id = $1 and w.id = $2`,
          [workspaceId, entryId],
        );
        return (await withVersionsBefore(query, workspaceId, rows))[0];
      }),
    aboutProofLinks: (workspaceId, recordId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<JoinedRow>(
          'workspace_entries_of_proof_links',
          `select ${ENTRY_SELECT}, ${LEAF_SELECT}
             from (select distinct on (w.type, ${LINK_ID}) w.* from answer_evidence.workspace_entries w
               where w.workspace_id = $1 and ${OF_PROOF_LINKS} and ${LINKED_RECORD} = $2
               order by w.type, ${LINK_ID}, w.leaf_index desc) w
             ${WITH_LEAF} order by w.leaf_index desc limit ${PROOF_ENTRIES_MAX}`,
          [workspaceId, recordId],
        );
        return withVersionsBefore(query, workspaceId, rows);
      }),
    namesOf: (workspaceId, ids) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const named = (name: string, sql: string) =>
          query<{ id: string; name: string }>(name, sql, [workspaceId, ids]).then(
            (rows) => new Map(rows.map((row) => [row.id, row.name])),
          );
        const [members, tokens] = await Promise.all([
          named(
            'member_names',
            'select id, username as name from answer_evidence.members where workspace_id = $1 and id = any($2::uuid[])',
          ),
          named(
            'token_names',
            'select id, name from answer_evidence.tokens where workspace_id = $1 and id = any($2::uuid[])',
          ),
        ]);
        return { members, tokens };
      }),
  };
}

/** The filters as SQL over `w`; the workspace is `$1`. The name tells their statement from those of other filters. */
function whereOf(workspaceId: string, filters: WorkspaceEntryFilters, page?: LeafPage) {
  const values: unknown[] = [workspaceId];
  const conditions = ['w.workspace_id = $1'];
  let name = page === undefined ? 'workspace_entries_all' : 'workspace_entries_page';
  const add = (value: unknown) => `$${values.push(value)}`;
  function filter(letter: string, value: unknown, condition: (parameter: string) => string): void {
    if (value === undefined) return;
    name += `_${letter}`;
    conditions.push(condition(add(value)));
  }
  const firstLeafAt = (parameter: string) => `(select answer_evidence.first_leaf_at($1, ${parameter}, ${TREE_SIZE}))`;
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : parseTimestamp(text));
  filter('type', filters.type, (parameter) => `w.type = ${parameter}`);
  filter('actor', jsonTextOf(filters.actor_id), (parameter) => `w.actor_id = ${parameter}`);
  filter(
    'record',
    filters.answer_log_id,
    (parameter) => `(w.record_id = ${parameter}::uuid or (w.type = 'texts_revealed' and w.record_id is null
      and ${parameter}::uuid = any (answer_evidence.records_read(w.core_json))))`,
  );
  filter('after', timeOf(filters.created_after), (parameter) => `w.leaf_index >= ${firstLeafAt(parameter)}`);
  filter('before', timeOf(filters.created_before), (parameter) => `w.leaf_index < ${firstLeafAt(parameter)}`);
  filter('below', page?.beforeLeaf, (parameter) => `w.leaf_index < ${parameter}`);
  return { name, sql: conditions.join(' and '), values, add };
}

/** The inside of the JSON string, as the core has it. */
function jsonTextOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text).slice(1, -1);
}

async function withVersionsBefore(
  query: Query,
  workspaceId: string,
  rows: readonly JoinedRow[],
): Promise<readonly StoredEntry[]> {
  const stored = rows.map((joined) => {
    const row = pick(joined, 'w', WORKSPACE_ENTRIES);
    const leaf = leafOf(joined);
    if (leaf.id !== row.id || leaf.type !== row.type)
      throw new StoredDamageError('an entry about the workspace is not the one of its leaf');
    return { row, leaf };
  });
  const wanted = stored.map(({ row }) => row).filter(({ type, seq }) => VERSIONED.includes(type) && seq > 1);
  const found =
    wanted.length === 0
      ? []
      : await query<WorkspaceEntryRow>(
          'workspace_entries_before',
          `select ${WORKSPACE_ENTRIES.columns.map((column) => `w.${column}`).join(', ')}
             from unnest($2::text[], $3::bigint[]) as v (type, seq)
             join answer_evidence.workspace_entries w
               on w.workspace_id = $1 and w.type = v.type and w.seq = v.seq`,
          [workspaceId, wanted.map(({ type }) => type), wanted.map(({ seq }) => seq - 1)],
        );
  const before = new Map(found.map((row) => [`${row.type} ${row.seq + 1}`, row]));
  return stored.map(({ row, leaf }) => ({ row, leaf, before: before.get(`${row.type} ${row.seq}`) }));
}
