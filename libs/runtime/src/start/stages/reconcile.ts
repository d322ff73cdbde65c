import { verifySignature } from '@answer-evidence/node-crypto';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import type { Route } from '@answer-evidence/routes';
import { createReconcileStage, type ReconcileDeps } from '@answer-evidence/stage-reconcile';
import { createAnchoredCheckpoints } from '@answer-evidence/stage-trust';
import { registerReconciliationMetrics } from '../../observability/reconciliation-metrics.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens reconciliation: with what reads anchors, and nothing that makes them. */
export async function openReconcile({ stores }: StageContext): Promise<OpenedStage> {
  const { clock, work, reconciliations } = stores;
  const checkpoints = createAnchoredCheckpoints({ ...stores, verifySignature, verifyTimestamp: verifyTimestampOver });
  return Promise.resolve({
    stage: createReconcileStage({ ...stores, checkpoints }),
    registerMetrics: (registry) => {
      registerReconciliationMetrics(registry, {
        clock,
        workspaceIds: async () => (await work.withOpenRuns()).map(({ id }) => id),
        readBacklog: (workspaceId) => reconciliations.backlog(workspaceId),
      });
    },
  });
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeReconcile(): readonly Route[] {
  return createReconcileStage({} as ReconcileDeps).routes;
}
