import type { Stage } from '@answer-evidence/routes';
import type { WitnessParts } from './parts.ts';
import { addCheckpointRoute } from './routes/add-checkpoint/handler.ts';
import { describeWitnessRoute } from './routes/describe-witness/handler.ts';
import { getCheckpointRoute } from './routes/get-checkpoint/handler.ts';

export type { WitnessParts } from './parts.ts';

/** A witness for other people's logs: it cosigns what extends the checkpoint that it cosigned last. */
export function createWitnessStage(parts: WitnessParts): Stage {
  return {
    name: 'witness',
    routes: [addCheckpointRoute(parts), getCheckpointRoute(parts), describeWitnessRoute(parts)],
    tickers: [],
    consumers: [],
    schedules: [],
  };
}
