import type { Stage } from '@answer-evidence/routes';
import { attachConsumer } from './consumers/attach-batch.ts';
import { waitConsumer } from './consumers/work-off-waiting.ts';
import type { OtlpParts } from './parts.ts';
import { ingestOtlpRoutes } from './routes/ingest-otlp/handler.ts';
import { listUnattachedRoute } from './routes/list-unattached/handler.ts';

export type { ItemCounts, OtlpParts } from './parts.ts';

const WAITING_EVERY_MS = 2_000;

/** Traces and logs of any OpenTelemetry exporter: what is taken of them at once, and what becomes of it. */
export function createOtlpStage(parts: OtlpParts): Stage {
  return {
    name: 'otlp',
    routes: [...ingestOtlpRoutes(parts), listUnattachedRoute(parts)],
    tickers: [],
    consumers: [attachConsumer(parts), waitConsumer(parts)],
    schedules: [{ name: 'otlp-wait', topic: 'otlp.wait', everyMs: WAITING_EVERY_MS }],
  };
}
