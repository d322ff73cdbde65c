import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';

const unless = [NO_GEN_AI_ANSWERS];
/** What it runs for somebody. */
const RUNS = ['agent_run', 'workflow_run'];

/** Mastra. */
export const MASTRA: Dialect = {
  name: 'mastra',
  source: 'mastra-ai/mastra, observability/otel-exporter',
  contents: [
    ...RUNS.map((run) => rule('question', 'mastra', `mastra.${run}.input`, 'state', { unless })),
    ...RUNS.map((run) => rule('answer', 'mastra', `mastra.${run}.output`, 'state', { unless })),
  ],
  pauses: { when: { key: 'mastra.workflow_run.status', values: ['suspended'] } },
  toolSpans: [/^tool: '(.+)'$/],
};
