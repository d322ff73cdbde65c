import type { Stage } from '@answer-evidence/routes';
import { runReconciliationConsumer } from './consumers/run-reconciliation.ts';
import type { ReconcileDeps } from './deps.ts';
import { appendTriageStepRoute } from './routes/append-triage-step/handler.ts';
import { createRunRoute } from './routes/create-run/handler.ts';
import { getRunRoute } from './routes/get-run/handler.ts';
import { getTriageRoute } from './routes/get-triage/handler.ts';
import { listAssigneesRoute } from './routes/list-assignees/handler.ts';
import { listFindingsRoute } from './routes/list-findings/handler.ts';
import { listRecordsRoute } from './routes/list-records/handler.ts';
import { listRunsRoute } from './routes/list-runs/handler.ts';
import { listTriageRoute } from './routes/list-triage/handler.ts';
import { proveRunRoute } from './routes/prove-run/handler.ts';
import { expireTriageTicker } from './tickers/expire-triage.ts';

export type { ReconcileDeps } from './deps.ts';

/** Reconciliation: runs, their findings, record sets and proofs, and the work of people on findings. */
export function createReconcileStage(deps: ReconcileDeps): Stage {
  return {
    name: 'reconcile',
    routes: [
      createRunRoute(deps),
      listRunsRoute(deps),
      getRunRoute(deps),
      listFindingsRoute(deps),
      listRecordsRoute(deps),
      proveRunRoute(deps),
      listAssigneesRoute(deps),
      listTriageRoute(deps),
      getTriageRoute(deps),
      appendTriageStepRoute(deps),
    ],
    tickers: [expireTriageTicker(deps)],
    consumers: [runReconciliationConsumer(deps)],
    schedules: [],
  };
}
