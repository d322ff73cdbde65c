import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';

const ofCalls = { unless: [NO_GEN_AI_ANSWERS], onlyPrefix: 'gen_ai.operation.name' };

/** Pipecat. */
export const PIPECAT: Dialect = {
  name: 'pipecat',
  source: 'pipecat-ai/pipecat, src/pipecat/utils/tracing',
  contents: [
    rule('question', 'pipecat', 'input', 'state', ofCalls),
    rule('answer', 'pipecat', 'output', 'printed', ofCalls),
  ],
};
