import type { Stage } from '@answer-evidence/routes';
import { runReconciliationConsumer } from './consumers/run-reconciliation.ts';
import type { ReconcileParts } from './parts.ts';
import { createRunRoute } from './routes/create-run/handler.ts';
import { getRunRoute } from './routes/get-run/handler.ts';
import { listFindingsRoute } from './routes/list-findings/handler.ts';
import { listRecordsRoute } from './routes/list-records/handler.ts';
import { listRunsRoute } from './routes/list-runs/handler.ts';
import { proveRunRoute } from './routes/prove-run/handler.ts';

export type { ReconcileParts } from './parts.ts';

/** Reconciliation: runs, their findings, record sets and proofs. */
export function createReconcileStage(parts: ReconcileParts): Stage {
  return {
    name: 'reconcile',
    routes: [
      createRunRoute(parts),
      listRunsRoute(parts),
      getRunRoute(parts),
      listFindingsRoute(parts),
      listRecordsRoute(parts),
      proveRunRoute(parts),
    ],
    tickers: [],
    consumers: [runReconciliationConsumer(parts)],
    schedules: [],
  };
}
