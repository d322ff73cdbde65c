import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

/** The turn of a speaking agent; before version 1.7 without `pii`. */
const TURN = [
  ['lk.pii.user_input', 'lk.pii.response.text'],
  ['lk.user_input', 'lk.response.text'],
] as const;

/** LiveKit's agents. */
export const LIVEKIT: Dialect = {
  name: 'livekit',
  source: 'livekit/agents, livekit-agents/livekit/agents/telemetry',
  contents: [
    ...TURN.map(([key]) => rule('question', 'livekit', key, 'string')),
    ...TURN.map(([, key]) => rule('answer', 'livekit', key, 'string')),
  ],
};
