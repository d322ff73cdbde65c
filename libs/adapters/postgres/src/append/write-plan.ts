import type { AppendPlan, Write } from '@answer-evidence/ledger';
import {
  COMMITS,
  EVENTS,
  EXPIRIES,
  HASH_KEYS,
  type HeadRow,
  IDEMPOTENCY,
  LEAVES,
  LEDGER_KEYS,
  OUTBOX,
  RECORDS,
  SEALED,
  TILES,
  TOKENS,
  TRACES,
  type TileRow,
  WORKSPACE_ENTRIES,
  type Table,
} from '@answer-evidence/tables';
import { formatInserts, type Statement } from './insert-rows.ts';
import { formatEvidenceWrites } from './evidence-writes.ts';
import { formatMemberWrite } from './member-writes.ts';

/**
 * The statements of one transaction, in order. The head comes first: it takes the lock that serialises the workspace's
 * writers, and when it is not the expected one, everything after it is undone.
 */
export function formatPlan(
  workspaceId: string,
  expected: HeadRow,
  next: HeadRow,
  plan: AppendPlan,
  tiles: readonly TileRow[],
): readonly Statement[] {
  if (plan.commit === undefined) return [];
  const statements: Statement[] = [
    {
      name: 'transact_advance_head',
      text: 'select answer_evidence.advance_head($1, $2, $3, $4, $5, $6, $7, $8)',
      values: [
        workspaceId,
        expected.tree_size,
        expected.mac,
        next.tree_size,
        next.right_edge,
        next.last_at,
        next.settings_version,
        next.mac,
      ],
    },
  ];
  function insert<Row>(table: Table<Row>, rows: readonly Row[]): void {
    for (const statement of formatInserts(table, workspaceId, rows)) statements.push(statement);
  }
  insert(LEAVES, plan.leaves);
  insert(COMMITS, [plan.commit]);
  insert(TILES, tiles);
  const { writes } = plan;
  // Erasing comes before sealing anew: both may name one object.
  const unsealed = writes.flatMap((write) => (write.kind === 'unseal' ? [write.objectId] : []));
  if (unsealed.length > 0)
    statements.push({
      name: 'transact_unseal',
      text: 'delete from answer_evidence.sealed_contents where workspace_id = $1 and object_id = any($2::uuid[])',
      values: [workspaceId, `{${unsealed.join(',')}}`],
    });
  // In the same transaction, so that what was erased is never forgotten before its remains are vacuumed.
  if (unsealed.length > 0 || writes.some(({ kind }) => kind === 'erase_evidence'))
    statements.push({
      name: 'transact_note_erasure',
      text: 'insert into answer_evidence.erasures (xid) values (pg_current_xact_id()) on conflict do nothing',
      values: [],
    });
  for (const statement of formatEvidenceWrites(workspaceId, writes)) statements.push(statement);
  insert(RECORDS, rowsOf(writes, 'record'));
  insert(EVENTS, rowsOf(writes, 'event'));
  insert(EXPIRIES, rowsOf(writes, 'expiry'));
  insert(TRACES, rowsOf(writes, 'trace'));
  insert(SEALED, rowsOf(writes, 'seal'));
  insert(IDEMPOTENCY, rowsOf(writes, 'idempotency'));
  insert(WORKSPACE_ENTRIES, rowsOf(writes, 'workspace_entry'));
  insert(HASH_KEYS, rowsOf(writes, 'hash_key'));
  insert(LEDGER_KEYS, rowsOf(writes, 'ledger_key'));
  insert(TOKENS, rowsOf(writes, 'token'));
  insert(OUTBOX, rowsOf(writes, 'job'));
  for (const write of writes) {
    if (write.kind === 'status')
      statements.push({
        name: 'transact_set_status',
        text: `insert into answer_evidence.record_states (workspace_id, record_id, status) values ($1, $2, $3)
          on conflict (workspace_id, record_id) do update set status = excluded.status`,
        values: [workspaceId, write.row.record_id, write.row.status],
      });
    if (write.kind === 'anchor_secret')
      statements.push({
        name: 'transact_set_anchor_secret',
        text: `insert into answer_evidence.anchor_secrets (workspace_id, anchor_id, object_id, wrapped_key, secret)
          values ($1, $2, $3, $4, $5)
          on conflict (workspace_id, anchor_id) do update
            set object_id = excluded.object_id, wrapped_key = excluded.wrapped_key, secret = excluded.secret`,
        values: [workspaceId, write.row.anchor_id, write.row.object_id, write.row.wrapped_key, write.row.secret],
      });
    if (write.kind === 'complete_run')
      statements.push({
        name: 'transact_complete_run',
        text: `update answer_evidence.reconciliation_states set status = 'completed', progress = 100
          where workspace_id = $1 and run_id = $2 and entry_id = $3`,
        values: [workspaceId, write.runId, write.entryId],
      });
    if (write.kind === 'revoke_token')
      statements.push({
        name: 'transact_revoke_token',
        text: `update answer_evidence.tokens set revoked_at = $3, overlap_until = $4
          where workspace_id = $1 and id = $2 and revoked_at is null`,
        values: [workspaceId, write.tokenId, write.at, write.overlapUntil],
      });
    if (write.kind === 'cut_token')
      statements.push({
        name: 'transact_cut_token',
        text: `update answer_evidence.tokens set cut_at = $3
          where workspace_id = $1 and id = $2 and cut_at is null`,
        values: [workspaceId, write.tokenId, write.at],
      });
    statements.push(...formatMemberWrite(workspaceId, write));
  }
  return statements;
}

type RowWrite = Extract<Write, { readonly row: unknown }>;
type RowOf<Kind extends RowWrite['kind']> = Extract<RowWrite, { readonly kind: Kind }>['row'];

function rowsOf<Kind extends RowWrite['kind']>(writes: readonly Write[], kind: Kind): readonly RowOf<Kind>[] {
  // The compiler cannot follow that a write of this kind has the row of this kind.
  return writes.flatMap((write) => (write.kind === kind ? [write.row as RowOf<Kind>] : []));
}
