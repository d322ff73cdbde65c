import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

/** Conditions about the kind of a span of Monocle, and of VoltAgent. */
export const SPAN_TYPE = kindsOf('span.type');

/** Kinds of both that answer nobody. */
export const NO_SPAN_TYPE_ANSWERS = SPAN_TYPE(
  ...['tool', 'llm', 'retriever', 'memory', 'embedding', 'guardrail', 'retrieval'],
  ...['agentic.tool.invocation', 'agentic.mcp.invocation', 'agentic.delegation'],
);

const RUN = SPAN_TYPE('agentic.turn', 'agentic.invocation');
/** What an agent gives back may be its question, or the words of a pause: what a model said below it is its answer. */
const ofCalls = { unless: [NO_SPAN_TYPE_ANSWERS, RUN] };

/** Monocle. */
export const MONOCLE: Dialect = {
  name: 'monocle',
  source: 'monocle2ai/monocle, apptrace',
  contents: [
    rule('question', 'monocle', 'input', 'keyed', { unless: [NO_SPAN_TYPE_ANSWERS], event: 'data.input' }),
    rule('answer', 'monocle', 'response', 'keyed', { ...ofCalls, event: 'data.output' }),
  ],
  asides: [SPAN_TYPE('tool', 'retriever', 'retrieval', 'agentic.tool.invocation', 'agentic.mcp.invocation')],
  runs: [RUN],
  modelCalls: [SPAN_TYPE('inference', 'inference.framework')],
  tools: [{ convention: 'monocle', when: SPAN_TYPE('agentic.tool.invocation'), name: ['entity.1.name'], args: [] }],
  documents: [
    {
      convention: 'monocle',
      form: 'event',
      key: 'data.output',
      when: SPAN_TYPE('retrieval'),
      isLast: true,
      id: [],
      score: [],
      content: ['response'],
    },
  ],
  prefixes: ['monocle_apptrace.'],
  writes: {
    keyed: { call: 'tool_function', calls: 'tools' },
    calls: { names: ['tool_function'], args: ['tool_arguments'] },
  },
};
