import type { CheckpointItem } from '@answer-evidence/contracts';
import { listCheckpoints } from '@answer-evidence/contracts/operations';
import { formatHex, formatTimestamp } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { type CosignedCheckpoint, readCosignedCheckpoint } from '../../checkpoints/cosigned-checkpoint.ts';
import type { TrustDeps } from '../../deps.ts';
import { pageOffset } from '../../page-offset.ts';

/** `GET /api/trust/checkpoints`: what was published of the log, newest first, with the cosignatures. */
export function listCheckpointsRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...listCheckpoints,
    async handle({ caller, query }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const page = pageOffset(query);
      const policy = await deps.trust.policy(workspace.id);
      const { items, total } = await deps.trust.listPublished(workspace.id, page);
      const checkpoints: CheckpointItem[] = [];
      for (const row of items)
        checkpoints.push(toCheckpointResource(await readCosignedCheckpoint(deps, workspace, row, policy)));
      return { status: 200, body: page.envelope(checkpoints, total) };
    },
  });
}

function toCheckpointResource({ row, note, cosignatures, quorumReached }: CosignedCheckpoint): CheckpointItem {
  return {
    tree_size: row.tree_size,
    root_hash: formatHex(row.root),
    published_at: formatTimestamp(row.published_at),
    note,
    cosignatures: cosignatures.map(({ witness, vkey, timestamp }) => ({ witness, vkey, time: timestamp })),
    quorum_reached: quorumReached,
  };
}
