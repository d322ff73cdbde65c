import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const KIND = kindsOf('judgment.span_kind');
const unless = [KIND('tool', 'retriever', 'retrieval', 'embedding', 'evaluator')];

/** Judgment. */
export const JUDGMENT: Dialect = {
  name: 'judgment',
  source: 'JudgmentLabs/judgeval, src/judgeval',
  contents: [
    rule('question', 'judgment', 'judgment.input', 'state', { unless }),
    rule('answer', 'judgment', 'judgment.output', 'state', { unless }),
  ],
  checks: [KIND('evaluator')],
  asides: [KIND('tool', 'retriever', 'retrieval')],
  modelCalls: [KIND('llm')],
  prefixes: ['judgment.'],
  callPrefixes: ['judgment.span_kind'],
};
