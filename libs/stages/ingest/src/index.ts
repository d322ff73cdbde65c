import type { Stage } from '@answer-evidence/routes';
import type { IngestDeps } from './deps.ts';
import { appendEventRoute } from './routes/append-event/handler.ts';
import { browseTextsRoute } from './routes/browse-texts/handler.ts';
import { countAnsweredRoute } from './routes/count-answered/handler.ts';
import { createRecordRoute } from './routes/create-record/handler.ts';
import { createManyRecordsRoute } from './routes/create-records/handler.ts';
import { createViewRoute } from './routes/create-view/handler.ts';
import { exportRecordsRoute } from './routes/export-records/handler.ts';
import { getHoldRoute } from './routes/get-hold/handler.ts';
import { getRecordRoute } from './routes/get-record/handler.ts';
import { getWordIndexRoute } from './routes/get-word-index/handler.ts';
import { listHeldRecordsRoute } from './routes/list-held-records/handler.ts';
import { listHoldsRoute } from './routes/list-holds/handler.ts';
import { listHoldsOfRecordRoute } from './routes/list-holds-of-record/handler.ts';
import { listMarkedRecordsRoute } from './routes/list-marked-records/handler.ts';
import { listRecordsRoute } from './routes/list-records/handler.ts';
import { listValuesRoute } from './routes/list-values/handler.ts';
import { listViewsRoute } from './routes/list-views/handler.ts';
import { openSearchSessionRoute } from './routes/open-search-session/handler.ts';
import { placeHoldRoute } from './routes/place-hold/handler.ts';
import { releaseHoldRoute } from './routes/release-hold/handler.ts';
import { removeViewRoute } from './routes/remove-view/handler.ts';
import { revealTextsRoute } from './routes/reveal-texts/handler.ts';
import { searchRecordsRoute } from './routes/search-records/handler.ts';
import { expireTextsTicker } from './tickers/expire-texts.ts';
import { indexWordsTicker } from './tickers/index-words.ts';
import { keepWordIndexesTicker } from './tickers/keep-word-indexes.ts';

export type { IngestDeps } from './deps.ts';
export { createExportAct } from './routes/export-records/export-act.ts';
export { createHoldAct, createHoldReleaseAct } from './holds/hold-acts.ts';
export { createEventAct } from './prepare/event-act.ts';
export { reapplyRedaction } from './prepare/reapply-redaction.ts';

/** Answer records: create, list, read, events, export. */
export function createIngestStage(deps: IngestDeps): Stage {
  return {
    name: 'ingest',
    routes: [
      createRecordRoute(deps),
      createManyRecordsRoute(deps),
      listRecordsRoute(deps),
      exportRecordsRoute(deps),
      getRecordRoute(deps),
      appendEventRoute(deps),
      revealTextsRoute(deps),
      searchRecordsRoute(deps),
      openSearchSessionRoute(deps),
      getWordIndexRoute(deps),
      listValuesRoute(deps),
      listMarkedRecordsRoute(deps),
      countAnsweredRoute(deps),
      browseTextsRoute(deps),
      listViewsRoute(deps),
      createViewRoute(deps),
      removeViewRoute(deps),
      placeHoldRoute(deps),
      listHoldsRoute(deps),
      listHoldsOfRecordRoute(deps),
      getHoldRoute(deps),
      listHeldRecordsRoute(deps),
      releaseHoldRoute(deps),
    ],
    tickers: [expireTextsTicker(deps), keepWordIndexesTicker(deps), indexWordsTicker(deps)],
    consumers: [],
    schedules: [],
  };
}
