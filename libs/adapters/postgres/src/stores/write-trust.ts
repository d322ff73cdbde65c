import type pg from 'pg';
import { StoredDamageError, type WorkspaceVault } from '@answer-evidence/ports';
import { ATTESTATION_COUNTS, type AttestationCountsRow, type Table } from '@answer-evidence/tables';
import { isMacValid, macOfRow } from '../rows/row-macs.ts';
import { type Query, writeWorkspace } from '../session.ts';

type Counted = Exclude<keyof AttestationCountsRow, 'mac'>;

const NOTHING: Omit<AttestationCountsRow, 'mac'> = { checkpoints: 0, cosignatures: 0, anchors: 0, attempts: 0 };

/**
 * Adds rows to one of the tables of trust, and to the workspace's counts, in one transaction: their row is locked
 * first. Rows that are there already by `key` stand and are not counted. Returns how many were added. Throws
 * `StoredDamageError` for counts that were altered.
 */
export function addTrustRows<Row extends { readonly mac: Uint8Array }>(
  pool: pg.Pool,
  workspaceId: string,
  vault: WorkspaceVault,
  table: Table<Row>,
  target: { readonly counted: Counted; readonly key: readonly string[] },
  rows: readonly Omit<Row, 'mac'>[],
): Promise<number> {
  return writeWorkspace(pool, workspaceId, async (query) => {
    const before = await lockCounts(query, workspaceId, vault);
    const columns = ['workspace_id', ...table.columns];
    let added = 0;
    for (const row of rows) {
      const values = table.columns.map((column) =>
        column === 'mac' ? macOfRow(vault, table, row) : row[column as keyof typeof row],
      );
      const inserted = await query(
        '',
        `insert into answer_evidence.${table.name} (${columns.join(', ')})
           values (${columns.map((_, n) => `$${n + 1}`).join(', ')})
           on conflict (workspace_id, ${target.key.join(', ')}) do nothing returning 1`,
        [workspaceId, ...values],
      );
      added += inserted.length;
    }
    const counts = { ...before, [target.counted]: before[target.counted] + added };
    const { checkpoints, cosignatures, anchors, attempts } = counts;
    await query(
      '',
      `update answer_evidence.trust_tallies
         set checkpoints = $2, cosignatures = $3, anchors = $4, attempts = $5, mac = $6 where workspace_id = $1`,
      [workspaceId, checkpoints, cosignatures, anchors, attempts, macOfRow(vault, ATTESTATION_COUNTS, counts)],
    );
    return added;
  });
}

async function lockCounts(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
): Promise<Omit<AttestationCountsRow, 'mac'>> {
  await query(
    '',
    `insert into answer_evidence.trust_tallies (workspace_id, checkpoints, cosignatures, anchors, attempts, mac)
       values ($1, 0, 0, 0, 0, $2) on conflict (workspace_id) do nothing`,
    [workspaceId, macOfRow(vault, ATTESTATION_COUNTS, NOTHING)],
  );
  const [before] = await query<AttestationCountsRow>(
    '',
    `select ${ATTESTATION_COUNTS.columns.join(', ')} from answer_evidence.trust_tallies where workspace_id = $1 for update`,
    [workspaceId],
  );
  if (before === undefined || !isMacValid(vault, ATTESTATION_COUNTS, before))
    throw new StoredDamageError('the MAC of the counts of cosignatures and anchors is wrong');
  return before;
}
