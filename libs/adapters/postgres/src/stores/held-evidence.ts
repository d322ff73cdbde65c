import type pg from 'pg';
import { formatHex } from '@answer-evidence/encoding';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import type { HeldContents, WorkspaceDirectory } from '@answer-evidence/ports';
import { EVIDENCE_DUES, type RowOf } from '@answer-evidence/tables';
import { authenticated, columnsWithMac, macOfRow } from '../rows/row-macs.ts';
import { type Query, writeWorkspace } from '../session.ts';

type DueRow = RowOf<typeof EVIDENCE_DUES> & { mac: Uint8Array };

/** Puts evidence that is on hold out of the way of sweeps, and back. A row says when under a MAC. */
export function createHeldEvidence(pool: pg.Pool, directory: WorkspaceDirectory): HeldContents {
  async function change(
    workspaceId: string,
    find: (query: Query) => Promise<readonly (DueRow & { readonly next: number })[]>,
  ): Promise<number> {
    const { vault } = await directory.get(workspaceId);
    return writeWorkspace(pool, workspaceId, async (query) => {
      const rows = await find(query);
      authenticated(vault, EVIDENCE_DUES, rows);
      const next = rows.map(({ asset_id, next: due_at }) => ({ asset_id, due_at }));
      const macs = next.map((row) => `\\x${formatHex(macOfRow(vault, EVIDENCE_DUES, row))}`);
      if (next.length > 0)
        await query(
          'move_evidence_dues',
          `update answer_evidence.evidence_dues u
             set due_at = ($3::bigint[])[array_position($2::uuid[], u.asset_id)],
               mac = ($4::bytea[])[array_position($2::uuid[], u.asset_id)]
             where u.workspace_id = $1 and u.asset_id = any($2::uuid[])`,
          [workspaceId, next.map(({ asset_id: id }) => id), next.map(({ due_at: at }) => at), macs],
        );
      return next.length;
    });
  }

  return {
    async putOnHold(workspaceId, assetIds, heldUntil) {
      await change(workspaceId, async (query) => {
        const rows = await query<DueRow>(
          'evidence_to_hold',
          `select ${columnsWithMac(EVIDENCE_DUES)} from answer_evidence.evidence_dues
             where workspace_id = $1 and asset_id = any($2::uuid[]) and due_at + 0 < $3 order by asset_id for update`,
          [workspaceId, assetIds, heldUntil],
        );
        return rows.map((row) => ({ ...row, next: heldUntil }));
      });
    },
    takeOffHold: (workspaceId, heldUntil, limit) =>
      change(workspaceId, (query) =>
        query<DueRow & { next: number }>(
          'evidence_on_hold',
          `select ${EVIDENCE_DUES.columns.map((column) => `u.${column}`).join(', ')}, u.mac, a.retention_until as next
             from answer_evidence.evidence_dues u
             cross join lateral (select x.retention_until from answer_evidence.evidence_assets x
               where x.workspace_id = $1 and x.id = u.asset_id offset 0) a
             where u.workspace_id = $1 and u.due_at >= $2 and u.due_at < $3
             order by u.due_at, u.asset_id limit $4 for update of u`,
          [workspaceId, HELD_FROM, heldUntil, limit],
        ),
      ),
  };
}
