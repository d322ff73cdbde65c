import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';

/** OpenLIT. Of a pipeline it shows what it was given, and of what came out only how many answers there are. */
export const OPENLIT: Dialect = {
  name: 'openlit',
  source: 'openlit/openlit, sdk/python',
  contents: [
    rule('question', 'openlit', 'gen_ai.framework.pipeline.input_data', 'state', { unless: [NO_GEN_AI_ANSWERS] }),
  ],
};
