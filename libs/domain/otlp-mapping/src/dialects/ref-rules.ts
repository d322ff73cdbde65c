import type { Convention } from './content-rule.ts';
import type { Condition } from './item-kinds.ts';

/** Members of the semantic ref that says what model answered, and the attributes they come from, in their order. */
export const MODEL_RULES = {
  operation: ['gen_ai.operation.name'],
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system'],
  request_model: ['gen_ai.request.model', 'llm.request.model', 'langfuse.observation.model.name', 'mlflow.llm.model'],
  response_model: ['gen_ai.response.model', 'llm.response.model', 'llm.model_name'],
  finish_reasons: ['gen_ai.response.finish_reasons', 'gen_ai.completion.0.finish_reason'],
} as const;

/** The event that evaluates an answer, and what is taken from it. Its free-text explanation is not taken. */
export const EVALUATION_RULES = {
  event: 'gen_ai.evaluation.result',
  name: 'gen_ai.evaluation.name',
  score_value: 'gen_ai.evaluation.score.value',
  score_label: 'gen_ai.evaluation.score.label',
  response_id: 'gen_ai.response.id',
} as const;

/** Spans that are one run of a tool. Where none of the attributes names the tool, the span has its name. */
type ToolRule = {
  readonly convention: Convention;
  readonly when: Condition;
  readonly name: readonly string[];
  readonly args: readonly string[];
};

/** Where runs of tools are named. Of their arguments only the hash is taken. */
export const TOOL_RULES: readonly ToolRule[] = [
  {
    convention: 'gen_ai',
    when: { key: 'gen_ai.operation.name', values: ['execute_tool'] },
    name: ['gen_ai.tool.name'],
    args: ['gen_ai.tool.call.arguments', 'gcp.vertex.agent.tool_call_args'],
  },
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
  {
    convention: 'traceloop',
    when: { key: 'traceloop.span.kind', values: ['tool'] },
    name: ['traceloop.entity.name'],
    args: ['traceloop.entity.input'],
  },
  {
    convention: 'langfuse',
    when: { key: 'langfuse.observation.type', values: ['tool'] },
    name: [],
    args: ['langfuse.observation.input'],
  },
  {
    convention: 'mlflow',
    when: { key: 'mlflow.spanType', values: ['TOOL'] },
    name: [],
    args: ['mlflow.spanInputs'],
  },
  {
    convention: 'langsmith',
    when: { key: 'langsmith.span.kind', values: ['tool'] },
    name: [],
    args: ['gen_ai.prompt'],
  },
  {
    convention: 'genkit',
    when: { key: 'genkit:metadata:subtype', values: ['tool', 'tool.v2'] },
    name: ['genkit:name'],
    args: ['genkit:input'],
  },
  {
    convention: 'agentops',
    when: { key: 'agentops.span.kind', values: ['tool'] },
    name: ['operation.name'],
    args: ['agentops.tool.input'],
  },
  {
    convention: 'langwatch',
    when: { key: 'langwatch.span.type', values: ['tool'] },
    name: [],
    args: ['langwatch.input'],
  },
  {
    convention: 'laminar',
    when: { key: 'lmnr.span.type', values: ['TOOL'] },
    name: [],
    args: ['lmnr.span.input'],
  },
  {
    convention: 'gen_ai',
    // The runs of tools of TanStack AI name no operation.
    when: { key: 'tanstack.ai.tool.outcome', values: ['success', 'error'] },
    name: ['gen_ai.tool.name'],
    args: [],
  },
  {
    convention: 'gen_ai',
    // Spring AI 1 calls every operation of its own by the same name. Arguments are opt-in.
    when: { key: 'spring.ai.kind', values: ['tool_call'] },
    name: ['spring.ai.tool.definition.name'],
    args: ['spring.ai.tool.call.arguments'],
  },
  {
    convention: 'voltagent',
    when: { key: 'span.type', values: ['tool'] },
    name: ['tool.name'],
    args: ['input'],
  },
  {
    convention: 'monocle',
    when: { key: 'span.type', values: ['agentic.tool.invocation'] },
    name: ['entity.1.name'],
    args: [],
  },
  {
    convention: 'vercel',
    when: { key: 'ai.operationId', values: ['ai.toolCall'] },
    name: ['ai.toolCall.name'],
    args: ['ai.toolCall.args'],
  },
];

/** Flattened attributes that are read. Others that begin like them are dropped. */
export const LISTED_PATTERNS: readonly RegExp[] = [
  /^gen_ai\.(?:prompt|completion)\.(?:0|[1-9]\d{0,5})\.(?:role|content|user|finish_reason|tool_calls\.\d{1,6}\.(?:name|arguments))$/,
  /^(?:llm\.(?:input|output)_messages|gen_ai\.(?:input|output)\.messages)\.(?:0|[1-9]\d{0,5})\.message\.(?:role|content|contents\.(?:0|[1-9]\d{0,5})\.message_content\.(?:type|text))$/,
  /^(?:llm\.(?:input|output)_messages|gen_ai\.(?:input|output)\.messages)\.(?:0|[1-9]\d{0,5})\.message\.tool_calls\.\d{1,6}\.tool_call\.function\.(?:name|arguments)$/,
  /^retrieval\.documents\.(?:0|[1-9]\d{0,5})\.document\.(?:id|score|content|metadata)$/,
];
