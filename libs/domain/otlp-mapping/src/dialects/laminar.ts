import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const TYPE = kindsOf('lmnr.span.type');
const unless = [TYPE('TOOL', 'EXECUTOR', 'EVALUATOR', 'HUMAN_EVALUATOR', 'EVENT')];

/** Laminar. */
export const LAMINAR: Dialect = {
  name: 'laminar',
  source: 'lmnr-ai/lmnr-python, src/lmnr/sdk',
  contents: [
    rule('question', 'laminar', 'lmnr.span.input', 'state', { unless }),
    rule('answer', 'laminar', 'lmnr.span.output', 'state', { unless }),
  ],
  checks: [TYPE('EVALUATOR', 'HUMAN_EVALUATOR')],
  asides: [TYPE('TOOL')],
  modelCalls: [TYPE('LLM')],
  tools: [{ convention: 'laminar', when: TYPE('TOOL'), name: [], args: ['lmnr.span.input'] }],
  prefixes: ['lmnr.'],
  callPrefixes: ['lmnr.span.'],
};
