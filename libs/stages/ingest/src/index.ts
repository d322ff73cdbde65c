import type { Stage } from '@answer-evidence/routes';
import type { IngestParts } from './parts.ts';
import { appendEventRoute } from './routes/append-event/handler.ts';
import { createRecordRoute } from './routes/create-record/handler.ts';
import { exportRecordsRoute } from './routes/export-records/handler.ts';
import { getRecordRoute } from './routes/get-record/handler.ts';
import { listRecordsRoute } from './routes/list-records/handler.ts';
import { expireTextsTicker } from './tickers/expire-texts.ts';

export type { IngestParts } from './parts.ts';
export { reapplyRedaction } from './prepare/reapply-redaction.ts';

/** Answer records: create, list, read, events, export. */
export function createIngestStage(parts: IngestParts): Stage {
  return {
    name: 'ingest',
    routes: [
      createRecordRoute(parts),
      listRecordsRoute(parts),
      exportRecordsRoute(parts),
      getRecordRoute(parts),
      appendEventRoute(parts),
    ],
    tickers: [expireTextsTicker(parts)],
    consumers: [],
    schedules: [],
  };
}
