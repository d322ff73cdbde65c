import type { Stage } from '@answer-evidence/routes';
import { createStreamRoute } from '../routes/create-stream/handler.ts';
import { getStreamRoute } from '../routes/get-stream/handler.ts';
import { listStreamsRoute } from '../routes/list-streams/handler.ts';
import { patchStreamRoute } from '../routes/patch-stream/handler.ts';
import { removeStreamRoute } from '../routes/remove-stream/handler.ts';
import { testStreamRoute } from '../routes/test-stream/handler.ts';
import type { StreamDeps } from './deps.ts';
import { feedStreamsTicker } from './feed-ticker.ts';

/** The part of the stage that sends the entries of logs to outside. */
export function createStreamParts(deps: StreamDeps): Pick<Stage, 'routes' | 'tickers'> {
  return {
    routes: [
      listStreamsRoute(deps),
      createStreamRoute(deps),
      getStreamRoute(deps),
      patchStreamRoute(deps),
      removeStreamRoute(deps),
      testStreamRoute(deps),
    ],
    tickers: [feedStreamsTicker(deps)],
  };
}
