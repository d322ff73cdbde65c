import type { Stage } from '@answer-evidence/routes';
import { purgeContentConsumer } from './consumers/purge-content.ts';
import { OBJECT_SWEEP, sweepObjectsConsumer } from './consumers/sweep-objects.ts';
import type { EvidenceDeps } from './deps.ts';
import { createAssetRoute } from './routes/create-asset/handler.ts';
import { createRecordAssetRoute } from './routes/create-record-asset/handler.ts';
import { downloadAssetRoute } from './routes/download-asset/handler.ts';
import { downloadRecordAssetRoute } from './routes/download-record-asset/handler.ts';
import { getAssetRoute } from './routes/get-asset/handler.ts';
import { listAccessesRoute } from './routes/list-accesses/handler.ts';
import { listAssetsRoute } from './routes/list-assets/handler.ts';
import { retrieveAssetRoute } from './routes/retrieve-asset/handler.ts';
import { expireEvidenceTicker } from './tickers/expire-evidence.ts';

export { checkOriginals, type OriginalsChecked } from './check-originals.ts';
export type { EvidenceDeps } from './deps.ts';
export { splitText } from './prepare/segment-content.ts';

/** Evidence: assets, and every access to them. */
export function createEvidenceStage(deps: EvidenceDeps): Stage {
  return {
    name: 'evidence',
    routes: [
      createAssetRoute(deps),
      listAssetsRoute(deps),
      getAssetRoute(deps),
      listAccessesRoute(deps),
      retrieveAssetRoute(deps),
      downloadAssetRoute(deps),
      createRecordAssetRoute(deps, 'upload'),
      createRecordAssetRoute(deps, 'register'),
      downloadRecordAssetRoute(deps),
    ],
    tickers: [expireEvidenceTicker(deps)],
    consumers: [purgeContentConsumer(deps), sweepObjectsConsumer(deps)],
    schedules: [OBJECT_SWEEP],
  };
}
