import { createByteBudget, type Stage } from '@answer-evidence/routes';
import { inboxBatchConsumer } from './consumers/consume-inbox-batch.ts';
import { lookForWaiting, waitingConsumer } from './consumers/consume-waiting.ts';
import type { OtlpDeps } from './deps.ts';
import { createIgnoredTally } from './ignored/ignored-tally.ts';
import { explainOtlpRoute } from './routes/explain-otlp/handler.ts';
import { explainOtlpRulesRoute } from './routes/explain-otlp-rules/handler.ts';
import { getTraceFatesRoute } from './routes/get-trace-fates/handler.ts';
import { ingestOtlpRoutes } from './routes/ingest-otlp/handler.ts';
import { listIgnoredRoute } from './routes/list-ignored/handler.ts';
import { listUnattachedRoute } from './routes/list-unattached/handler.ts';

export { DECISION_REASONS, type DecisionReason, type ItemCounts, type OtlpDeps } from './deps.ts';

/** Traces and logs of any OpenTelemetry exporter: what is taken of them at once, and what becomes of it. */
export function createOtlpStage(deps: OtlpDeps): Stage {
  const bodies = createByteBudget(deps.otlpInHandBytesMax);
  const tally = createIgnoredTally(deps);
  return {
    name: 'otlp',
    routes: [
      ...ingestOtlpRoutes(deps, tally, bodies),
      explainOtlpRoute(deps, bodies),
      explainOtlpRulesRoute(deps, bodies),
      listUnattachedRoute(deps),
      listIgnoredRoute(deps),
      getTraceFatesRoute(deps),
    ],
    tickers: [tally.ticker],
    consumers: [inboxBatchConsumer(deps), waitingConsumer(deps, tally)],
    schedules: [],
    looks: [lookForWaiting(deps)],
  };
}
