import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const TYPE = kindsOf('confident.span.type');
const STEP = TYPE('tool', 'retriever');
/** It tells of a trace, and of a span of it. */
const OF = ['trace', 'span'];

/** DeepEval. */
export const DEEPEVAL: Dialect = {
  name: 'deepeval',
  source: 'confident-ai/deepeval, deepeval/tracing/otel',
  contents: [
    ...OF.map((of) => rule('question', 'deepeval', `confident.${of}.input`, 'state', { unless: [STEP] })),
    ...OF.map((of) => rule('answer', 'deepeval', `confident.${of}.output`, 'state', { unless: [STEP] })),
  ],
  asides: [STEP],
  runs: [TYPE('agent')],
  modelCalls: [TYPE('llm')],
  prefixes: ['confident.'],
};
