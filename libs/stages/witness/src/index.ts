import type { Stage } from '@answer-evidence/routes';
import type { WitnessDeps } from './deps.ts';
import { addCheckpointRoute } from './routes/add-checkpoint/handler.ts';
import { describeWitnessRoute } from './routes/describe-witness/handler.ts';
import { getCheckpointRoute } from './routes/get-checkpoint/handler.ts';

export type { WitnessDeps, WitnessKey } from './deps.ts';

/** A witness for other people's logs: it cosigns what extends the checkpoint that it cosigned last. */
export function createWitnessStage(deps: WitnessDeps): Stage {
  return {
    name: 'witness',
    routes: [addCheckpointRoute(deps), getCheckpointRoute(deps), describeWitnessRoute(deps)],
    tickers: [],
    consumers: [],
    schedules: [],
  };
}
