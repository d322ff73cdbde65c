import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { PROMPT_VARIABLES } from './gen-ai.ts';

const NODE = kindsOf('ag.type.node');
const ofNodes = { unless: [NODE('task', 'tool', 'embedding', 'query', 'rerank')], onlyPrefix: 'ag.type.node' };

/** Agenta. */
export const AGENTA: Dialect = {
  name: 'agenta',
  source: 'Agenta-AI/agenta, sdk/agenta/sdk/engines/tracing',
  contents: [
    ...PROMPT_VARIABLES.map((name) => rule('question', 'agenta', `ag.data.inputs.${name}`, 'string', ofNodes)),
    rule('answer', 'agenta', 'ag.data.outputs.__default__', 'printed', ofNodes),
  ],
  asides: [NODE('tool', 'query', 'rerank')],
  modelCalls: [NODE('chat', 'completion')],
  prefixes: ['ag.'],
  callPrefixes: ['ag.type.'],
};
