import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_SPAN_TYPE_ANSWERS, SPAN_TYPE } from './monocle.ts';

const ofEntities = { unless: [NO_SPAN_TYPE_ANSWERS], onlyPrefix: 'entity.type' };

/** A workflow, whose output is its state; an agent's is its answer, whether or not it is JSON. */
const WORKFLOW = { key: 'entity.type', values: ['workflow'] };

/** VoltAgent. */
export const VOLTAGENT: Dialect = {
  name: 'voltagent',
  source: 'VoltAgent/voltagent, packages/core/src/observability',
  contents: [
    rule('question', 'voltagent', 'input', 'state', ofEntities),
    rule('answer', 'voltagent', 'output', 'string', { ...ofEntities, unless: [...ofEntities.unless, WORKFLOW] }),
    rule('answer', 'voltagent', 'output', 'state', ofEntities),
  ],
  checks: [SPAN_TYPE('guardrail')],
  tools: [{ convention: 'voltagent', when: SPAN_TYPE('tool'), name: ['tool.name'], args: ['input'] }],
};
