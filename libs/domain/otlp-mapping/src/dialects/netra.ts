import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const TYPE = kindsOf('netra.span.type');
/** A step of a decorated workflow, which says no more of itself. */
const STEP = { key: 'netra.entity.type', values: ['task'] };
const ofEntities = {
  unless: [TYPE('TOOL', 'EMBEDDING', 'RETRIEVER', 'GUARDRAIL', 'EVALUATOR'), STEP],
  onlyPrefix: STEP.key,
};

/** Netra. */
export const NETRA: Dialect = {
  name: 'netra',
  source: 'KeyValueSoftwareSystems/netra-sdk-py',
  contents: [
    rule('question', 'netra', 'input', 'state', ofEntities),
    rule('answer', 'netra', 'output', 'state', ofEntities),
  ],
  asides: [TYPE('TOOL', 'RETRIEVER')],
  prefixes: ['netra.'],
  callPrefixes: ['netra.span.type'],
};
