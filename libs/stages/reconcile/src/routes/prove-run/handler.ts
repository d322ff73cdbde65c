import { formatEntry } from '@answer-evidence/commitments';
import type { ReconciliationProof } from '@answer-evidence/contracts';
import { getReconciliationProof } from '@answer-evidence/contracts/operations';
import { formatHex, parseHex } from '@answer-evidence/encoding';
import { formatTlogProof } from '@answer-evidence/note';
import { proveGrowth, proveLeaves } from '@answer-evidence/ports';
import { statementOf } from '@answer-evidence/reconciliation';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getCompletedRun } from '../../find-run.ts';
import { nameDamage } from '../../name-damage.ts';

/** `GET /api/reconciliations/runs/{run_id}/proof`: all a verifier needs but the list and record set; no verdict. */
export function proveRunRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...getReconciliationProof,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { completion } = await getCompletedRun(deps, caller, params.run_id);
      const { core, leaf } = completion;
      const checkpoint = await deps.checkpoints.choose(workspace, leaf.leaf_index);
      const { nodes } = await deps.logs.snapshot(workspace.id);
      const decided = { size: core.snapshot.tree_size, root: parseHex(core.snapshot.root_hash) };
      const [[hashes = []], consistency] = await nameDamage(() =>
        Promise.all([proveLeaves(nodes, [leaf], checkpoint), proveGrowth(nodes, decided, checkpoint)]),
      );
      const signer = await deps.logs.signer(workspace.id);
      const proof: ReconciliationProof = {
        format: 'answer-evidence-reconciliation/v1',
        origin: workspace.origin,
        workspace_id: workspace.id,
        run: {
          leaf_index: leaf.leaf_index,
          entry: formatEntry(leaf),
          leaf_hash: formatHex(leaf.leaf_hash),
          proof: formatTlogProof({ index: leaf.leaf_index, hashes, checkpoint: checkpoint.note }),
          core,
        },
        note: await signer.signRun(statementOf(workspace.origin, core), checkpoint.size),
        consistency: consistency.map(formatHex),
        checkpoint: checkpoint.note,
        anchors: [...checkpoint.anchors],
        log_keys: [...checkpoint.logKeys],
        policy: checkpoint.policy,
      };
      return { status: 200, body: proof };
    },
  });
}
