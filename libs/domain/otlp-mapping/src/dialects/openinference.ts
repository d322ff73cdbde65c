import type { Condition } from './condition.ts';
import { type ContentRule, rule } from './content-rule.ts';
import type { Dialect, ToolRule } from './dialect.ts';
import { NO_CHECK } from './guardrails-ai.ts';
import { OPENAI_AGENTS_TURNS } from './openai-agents.ts';

/** Attributes that name the kind of a span in the words of OpenInference: its own, and those of traceAI. */
const KEYS = ['openinference.span.kind', 'gen_ai.span.kind', 'fi.span.kind'];

/** Spans of one of these kinds, whichever attribute names it. */
function ofKinds(...values: readonly string[]): readonly Condition[] {
  return KEYS.map((key) => ({ key, values, ...(values.includes('GUARDRAIL') && { except: NO_CHECK }) }));
}

const unless = ofKinds(
  ...['EMBEDDING', 'RETRIEVER', 'RERANKER', 'TOOL', 'GUARDRAIL', 'EVALUATOR', 'PROMPT', 'DECISION', 'VECTOR_DB'],
);
const framework = { unless: [...unless, ...ofKinds('LLM')] };

const JSON_INPUT: Condition = { key: 'input.mime_type', values: ['application/json'] };
const JSON_OUTPUT: Condition = { key: 'output.mime_type', values: ['application/json'] };

/** Messages of OpenInference, and of traceAI. Beside them, what a call was given is shown once more. */
const INPUTS = [
  ['openinference', 'llm.input_messages.'],
  ['traceai', 'gen_ai.input.messages.'],
] as const;
const OUTPUTS = [
  ['openinference', 'llm.output_messages.'],
  ['traceai', 'gen_ai.output.messages.'],
] as const;
/** What its processor for Vercel's AI SDK shows once more: an object that is the answer, as a state. */
const VERCEL_ANSWERS = ['ai.response.text', 'ai.response.object', 'ai.response.toolCalls'];
const withoutInputs = { unless, unlessPrefixes: INPUTS.map(([, prefix]) => prefix) };
const withoutOutputs = { unless, unlessPrefixes: [...OUTPUTS.map(([, prefix]) => prefix), ...VERCEL_ANSWERS] };
/** A refusal is a message without content; its text is in a separate attribute. */
const ofRefusal = {
  unless,
  unlessPrefixes: [
    ...OUTPUTS.flatMap(([, prefix]) => [`${prefix}0.message.content`, `${prefix}0.message.tool_calls`, `${prefix}1.`]),
    ...VERCEL_ANSWERS,
  ],
};

function flattened(to: ContentRule['to'], convention: string, prefix: string): ContentRule {
  const indexed = { prefix, member: 'message.' };
  return rule(to, convention, `${prefix}N.message.content`, 'indexed', { unless, indexed });
}

/** OpenInference, which is Arize Phoenix's, and what traceAI says in the same way. */
export const OPENINFERENCE: Dialect = {
  name: 'openinference',
  source: 'Arize-ai/openinference, spec/semantic_conventions.md',
  contents: [
    // Beside this a chain may have a message of another turn.
    rule('question', 'openinference', 'input.value', 'state', framework),
    ...INPUTS.map(([convention, prefix]) => flattened('question', convention, prefix)),
    rule('question', 'openinference', 'input.value', 'printed', { ...withoutInputs, unless: [...unless, JSON_INPUT] }),
    rule('question', 'openinference', 'input.value', 'state', withoutInputs),
    rule('question', 'openinference', 'crew_tasks', 'state', framework),
    rule('answer', 'openinference', 'output.value', 'state', {
      ...framework,
      unlessPrefixes: VERCEL_ANSWERS,
      unlessAsking: OUTPUTS.map(([, prefix]) => prefix),
    }),
    ...OUTPUTS.map(([convention, prefix]) => flattened('answer', convention, prefix)),
    // What shows a turn in which the model asked for a tool would look like an answer.
    rule('answer', 'openinference', 'output.value', 'printed', {
      ...withoutOutputs,
      unless: [...unless, JSON_OUTPUT],
    }),
    rule('answer', 'openinference', 'output.value', 'state', ofRefusal),
  ],
  checks: ofKinds('GUARDRAIL', 'EVALUATOR'),
  asides: ofKinds('TOOL', 'RETRIEVER', 'RERANKER'),
  runs: ofKinds('AGENT'),
  modelCalls: ofKinds('LLM'),
  callers: ofKinds('CHAIN'),
  tools: [
    {
      convention: 'openinference',
      when: { key: 'openinference.span.kind', values: ['TOOL'] },
      name: ['tool.name'],
      args: ['input.value'],
    },
    ...['gen_ai.span.kind', 'fi.span.kind'].map((key): ToolRule => {
      return {
        convention: 'traceai',
        when: { key, values: ['TOOL'] },
        name: ['gen_ai.tool.name', 'tool.name'],
        args: ['input.value'],
      };
    }),
  ],
  documents: [
    {
      convention: 'openinference',
      form: 'indexed',
      key: 'retrieval.documents.',
      query: 'input.value',
      id: ['document.id'],
      score: ['document.score'],
      content: ['document.content'],
      metadata: ['document.metadata'],
    },
  ],
  model: { provider: ['llm.provider', 'llm.system'], response_model: ['llm.model_name'] },
  prefixes: ['llm.', 'openinference.'],
  quirks: [
    { scopes: ['openinference.instrumentation.openai_agents'], ...OPENAI_AGENTS_TURNS },
    // Of DSPy.
    { scopes: ['openinference.instrumentation.dspy'], namesFields: true },
  ],
  metadataKey: 'metadata',
  listed: [
    /^(?:llm\.(?:input|output)_messages|gen_ai\.(?:input|output)\.messages)\.(?:0|[1-9]\d{0,5})\.message\.(?:role|content|contents\.(?:0|[1-9]\d{0,5})\.message_content\.(?:type|text))$/,
    /^(?:llm\.(?:input|output)_messages|gen_ai\.(?:input|output)\.messages)\.(?:0|[1-9]\d{0,5})\.message\.tool_calls\.\d{1,6}\.tool_call\.function\.(?:name|arguments)$/,
    /^retrieval\.documents\.(?:0|[1-9]\d{0,5})\.document\.(?:id|score|content|metadata)$/,
  ],
  // Its processor for Vercel's AI SDK gives everything that ends after an error in its trace, such as that of a tool,
  // the status of an error, whatever the model made of it. The scopes are the SDK's, before version 7 and from then on.
  staleErrors: {
    with: 'openinference.span.kind',
    scopes: ['ai', 'gen_ai'],
    key: 'ai.operationId',
    reasons: 'gen_ai.response.finish_reasons',
    reason: 'ai.response.finishReason',
  },
};
