import { ENTRY_KINDS, type WorkspaceRows } from '@answer-evidence/audit';
import { type LeafRow, LEAVES, WORKSPACE_ENTRIES, type WorkspaceEntryRow } from '@answer-evidence/tables';
import { FROM_LEAVES, IN_RANGE } from '../rows/read-leaf-range.ts';
import { select } from '../rows/rows.ts';
import type { Query } from '../session.ts';

/** How many leaves are looked through at once; every one of them may be an entry of the workspace. */
const LEAVES_AT_ONCE = 8_192;

const TYPES = Object.entries(ENTRY_KINDS)
  .filter(([, kind]) => kind === 'workspace' || kind === 'genesis' || kind === 'epoch')
  .map(([type]) => `'${type}'`)
  .join(', ');

/** How many entries of the workspace are read at once where the leaves between them are not. */
const ENTRIES_AT_ONCE = 1_024;

/**
 * The entries of the workspace in the order of the log, with the last leaf of each batch. Of the leaves before `since`
 * only those of such entries are read.
 */
export async function* readWorkspaceRows(query: Query, workspaceId: string, since = 0): AsyncGenerator<WorkspaceRows> {
  yield* readEntriesBefore(query, workspaceId, since);
  for (let from = since; ;) {
    const [{ last } = { last: null }] = await query<{ last: number | null }>(
      'workspace_batch',
      `select max(leaf_index) as last from (select leaf_index from answer_evidence.ledger_leaves
         where workspace_id = $1 and leaf_index >= $2 order by leaf_index limit ${LEAVES_AT_ONCE}) as batch`,
      [workspaceId, from],
    );
    if (last === null) return;
    const to = last + 1;
    const [leaves, workspaceEntries] = await Promise.all([
      query<LeafRow & Record<string, unknown>>(
        'workspace_leaves',
        `select ${select('l', LEAVES)} ${FROM_LEAVES}
           where ${IN_RANGE} and (l.type in (${TYPES}) or l.leaf_index = $3 - 1) order by l.leaf_index`,
        [workspaceId, from, to],
      ),
      query<WorkspaceEntryRow & Record<string, unknown>>(
        'workspace_entries_of_leaves',
        `select ${select('w', WORKSPACE_ENTRIES)} ${FROM_LEAVES}
           join answer_evidence.workspace_entries w on w.workspace_id = $1 and w.id = l.id where ${IN_RANGE}`,
        [workspaceId, from, to],
      ),
    ]);
    yield { leaves, workspaceEntries };
    from = to;
  }
}

async function* readEntriesBefore(query: Query, workspaceId: string, end: number): AsyncGenerator<WorkspaceRows> {
  for (let after = -1; after < end - 1;) {
    const workspaceEntries = await query<WorkspaceEntryRow & { leaf_index: number } & Record<string, unknown>>(
      'workspace_entries_before',
      `select ${select('w', WORKSPACE_ENTRIES)}, w.leaf_index from answer_evidence.workspace_entries w
         where w.workspace_id = $1 and w.leaf_index > $2 and w.leaf_index < $3
         order by w.leaf_index limit ${ENTRIES_AT_ONCE}`,
      [workspaceId, after, end],
    );
    const last = workspaceEntries.at(-1);
    if (last === undefined) return;
    const leaves = await query<LeafRow & Record<string, unknown>>(
      'workspace_leaves_before',
      `select ${select('l', LEAVES)} ${FROM_LEAVES}
         where l.workspace_id = $1 and l.leaf_index = any($2::bigint[]) order by l.leaf_index`,
      [workspaceId, workspaceEntries.map((row) => row.leaf_index)],
    );
    yield { leaves, workspaceEntries };
    after = last.leaf_index;
  }
}
