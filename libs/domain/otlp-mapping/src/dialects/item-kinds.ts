/** An attribute that has one of these values, compared without regard to case; but not where the exception holds. */
export type Condition = {
  readonly key: string;
  readonly values: readonly string[];
  readonly except?: Pick<Condition, 'key' | 'values'>;
};

/** Attributes that name the kind of a span in the words of OpenInference: its own, and those of traceAI. */
const OPENINFERENCE_KINDS = ['openinference.span.kind', 'gen_ai.span.kind', 'fi.span.kind'];

/** Guardrails AI calls a run a guardrail, too, and so its step and the call of the model in it. */
const GUARD_RUN: Condition = { key: 'type', values: ['guardrails/guard'] };
const GUARD_CALL: Condition = { key: 'type', values: ['guardrails/guard/step/call'] };
const NO_CHECK = { key: 'type', values: [...GUARD_RUN.values, 'guardrails/guard/step', ...GUARD_CALL.values] };

/** Spans of one of these kinds of OpenInference, whichever attribute names it. */
export function ofKinds(...values: readonly string[]): readonly Condition[] {
  const isOfChecks = values.includes('GUARDRAIL');
  return OPENINFERENCE_KINDS.map((key) => ({ key, values, ...(isOfChecks && { except: NO_CHECK }) }));
}

/** Operations and kinds that answer nobody: their input and output is a step on the way. */
export const NO_ANSWERS = {
  gen_ai: {
    key: 'gen_ai.operation.name',
    values: [
      'embeddings',
      'retrieval',
      'execute_tool',
      'execute_task',
      'create_agent',
      'search_memory',
      'create_memory',
      'update_memory',
      'upsert_memory',
      'delete_memory',
      'guardrail_check',
      // AG2 shows a chat of agents, in which each of them is the user of the other.
      'conversation',
    ],
  },
  older: { key: 'llm.request.type', values: ['embedding', 'rerank'] },
  traceloop: { key: 'traceloop.span.kind', values: ['task', 'tool'] },
  langfuse: {
    key: 'langfuse.observation.type',
    values: ['embedding', 'retriever', 'tool', 'guardrail', 'evaluator', 'event'],
  },
  mlflow: {
    key: 'mlflow.spanType',
    values: ['EMBEDDING', 'RETRIEVER', 'RERANKER', 'TOOL', 'GUARDRAIL', 'EVALUATOR', 'PARSER', 'MEMORY', 'TASK'],
  },
  langsmith: { key: 'langsmith.span.kind', values: ['tool', 'retriever', 'embedding', 'prompt', 'parser'] },
  genkit: {
    key: 'genkit:metadata:subtype',
    values: [
      ...['tool', 'tool.v2', 'resource', 'retriever', 'reranker', 'embedder', 'indexer', 'evaluator'],
      ...['prompt', 'executable-prompt'],
    ],
  },
  langwatch: { key: 'langwatch.span.type', values: ['tool', 'rag', 'guardrail', 'evaluation'] },
  laminar: { key: 'lmnr.span.type', values: ['TOOL', 'EXECUTOR', 'EVALUATOR', 'HUMAN_EVALUATOR', 'EVENT'] },
  // Of VoltAgent and of Monocle.
  spanType: {
    key: 'span.type',
    values: [
      ...['tool', 'llm', 'retriever', 'memory', 'embedding', 'guardrail', 'retrieval'],
      ...['agentic.tool.invocation', 'agentic.mcp.invocation', 'agentic.delegation'],
    ],
  },
  agenta: { key: 'ag.type.node', values: ['task', 'tool', 'embedding', 'query', 'rerank'] },
  netra: { key: 'netra.span.type', values: ['TOOL', 'EMBEDDING', 'RETRIEVER', 'GUARDRAIL', 'EVALUATOR'] },
  deepEval: { key: 'confident.span.type', values: ['tool', 'retriever'] },
  judgment: { key: 'judgment.span_kind', values: ['tool', 'retriever', 'retrieval', 'embedding', 'evaluator'] },
} as const satisfies Readonly<Record<string, Condition>>;

/** A step of a decorated workflow of Netra, which says no more of itself. */
export const NETRA_STEP: Condition = { key: 'netra.entity.type', values: ['task'] };

/** A step of LangChain.js. OpenLLMetry shows each of them as a trace of its own, apart from the calls of models. */
export const LANGCHAIN_STEP: Condition = { key: NO_ANSWERS.gen_ai.key, values: ['workflow'] };

/** The same of OpenInference. */
export const NO_OPENINFERENCE_ANSWERS: readonly Condition[] = ofKinds(
  ...['EMBEDDING', 'RETRIEVER', 'RERANKER', 'TOOL', 'GUARDRAIL', 'EVALUATOR', 'PROMPT', 'DECISION', 'VECTOR_DB'],
);

/** What judges a question or an answer. What runs below one that is part of an agent or a chain answers nobody. */
export const CHECKS: readonly Condition[] = [
  ...ofKinds('GUARDRAIL', 'EVALUATOR'),
  { key: NO_ANSWERS.langfuse.key, values: ['guardrail', 'evaluator'] },
  { key: NO_ANSWERS.mlflow.key, values: ['GUARDRAIL', 'EVALUATOR'] },
  { key: NO_ANSWERS.gen_ai.key, values: ['guardrail_check'] },
  { key: NO_ANSWERS.genkit.key, values: ['evaluator'] },
  { key: NO_ANSWERS.langwatch.key, values: ['guardrail', 'evaluation'] },
  { key: NO_ANSWERS.laminar.key, values: ['EVALUATOR', 'HUMAN_EVALUATOR'] },
  { key: NO_ANSWERS.judgment.key, values: ['evaluator'] },
  { key: NO_ANSWERS.spanType.key, values: ['guardrail'] },
  // Logfire tells the kinds of spans of the OpenAI Agents SDK by nothing else.
  { key: 'logfire.msg_template', values: ['Guardrail {name!r} {triggered=}'] },
];

/** Spans that say by an attribute, and not by their status, that they ended with an error. */
export const FAILURES: readonly Condition[] = [{ key: 'langfuse.observation.level', values: ['ERROR'] }];

/** What runs below these, such as an agent that is a tool of another, answers nobody if there is another answer. */
export const ASIDES: readonly Condition[] = [
  ...CHECKS,
  { key: NO_ANSWERS.gen_ai.key, values: ['execute_tool', 'retrieval'] },
  ...ofKinds('TOOL', 'RETRIEVER', 'RERANKER'),
  { key: NO_ANSWERS.traceloop.key, values: ['tool'] },
  { key: NO_ANSWERS.langfuse.key, values: ['tool', 'retriever'] },
  { key: NO_ANSWERS.mlflow.key, values: ['TOOL', 'RETRIEVER', 'RERANKER'] },
  { key: NO_ANSWERS.langsmith.key, values: ['tool', 'retriever'] },
  { key: NO_ANSWERS.genkit.key, values: ['tool', 'tool.v2', 'retriever', 'reranker'] },
  { key: NO_ANSWERS.langwatch.key, values: ['tool', 'rag'] },
  { key: NO_ANSWERS.laminar.key, values: ['TOOL'] },
  {
    key: NO_ANSWERS.spanType.key,
    values: ['tool', 'retriever', 'retrieval', 'agentic.tool.invocation', 'agentic.mcp.invocation'],
  },
  { key: 'agentops.span.kind', values: ['tool'] },
  { key: NO_ANSWERS.judgment.key, values: ['tool', 'retriever', 'retrieval'] },
  { key: NO_ANSWERS.netra.key, values: ['TOOL', 'RETRIEVER'] },
  { key: NO_ANSWERS.agenta.key, values: ['tool', 'query', 'rerank'] },
  NO_ANSWERS.deepEval,
  { key: 'ai.operationId', values: ['ai.toolCall'] },
  { key: 'spring.ai.kind', values: ['tool_call'] },
  // OpenLLMetry names the tools of LlamaIndex, and says of them no more than of any step.
  { key: 'traceloop.entity.name', values: ['FunctionTool.task', 'QueryEngineTool.task', 'RetrieverTool.task'] },
];

/**
 * Agents of the OpenAI Agents SDK. One that is part of another is a guardrail, or a tool, of it: to hand over, the SDK
 * ends the first one.
 */
export const SDK_AGENT: Condition = { key: NO_ANSWERS.gen_ai.key, values: ['invoke_agent'] };
export const SDK_AGENT_SCOPES: readonly string[] = [
  'opentelemetry.instrumentation.genai.openai_agents',
  'weave.openai_agents',
];

/** OpenLLMetry's, which shows an agent beside the one that it is a tool or a guardrail of. */
export const FLAT_AGENT: Condition = { key: NO_ANSWERS.traceloop.key, values: ['agent'] };
export const FLAT_AGENT_SCOPE = 'opentelemetry.instrumentation.openai_agents';

/** Instrumentations of the same SDK that show a trace of it as a run; an application may run several agents in it. */
export const SDK_TRACE_SCOPES: ReadonlySet<string> = new Set([
  'openinference.instrumentation.openai_agents',
  'opentelemetry.instrumentation.genai.openai_agents',
  'opentelemetry.instrumentation.openai_agents',
  'logfire.openai_agents',
  'weave.openai_agents',
]);

/** A whole session of LiveKit is one trace: each turn of the agent below it is a run. */
const SESSION = { key: 'gen_ai.workflow.name', values: ['agent_session'] };

/** A workflow of VoltAgent, whose output is its state; an agent's is its answer, whether or not it is JSON. */
export const VOLTAGENT_WORKFLOW: Condition = { key: 'entity.type', values: ['workflow'] };

/** Agents of Monocle. */
export const MONOCLE_RUN: Condition = { key: NO_ANSWERS.spanType.key, values: ['agentic.turn', 'agentic.invocation'] };

/** One run of an agent, which gives one answer, also where its span shows none. */
export const RUNS: readonly Condition[] = [
  {
    key: NO_ANSWERS.gen_ai.key,
    // `enter` is LoongSuite's: an application is asked.
    values: ['invoke_agent', 'invoke_workflow', 'invoke_graph', 'invoke_swarm', 'conversation', 'enter'],
    except: SESSION,
  },
  ...ofKinds('AGENT'),
  GUARD_RUN,
  { key: NO_ANSWERS.langfuse.key, values: ['agent'] },
  { key: NO_ANSWERS.mlflow.key, values: ['AGENT'] },
  { key: NO_ANSWERS.langwatch.key, values: ['agent'] },
  { key: NO_ANSWERS.deepEval.key, values: ['agent'] },
  { key: 'logfire.msg_template', values: ['OpenAI Agents trace: {name}'] },
  MONOCLE_RUN,
];

/** The run of a workflow of the Microsoft Agent Framework. */
export const WORKFLOW_RUN = { scope: 'agent_framework', name: 'workflow.run' } as const;

/** What may show its state, in JSON, as the text of a message. */
export const WORKFLOW: Condition = { key: NO_ANSWERS.gen_ai.key, values: ['invoke_workflow'] };

/** Spans that are one call of a model; the last one below an agent answers where the agent's state names no answer. */
export const MODEL_CALLS: readonly Condition[] = [
  ...ofKinds('LLM'),
  GUARD_CALL,
  { key: 'gen_ai.operation.name', values: ['chat', 'text_completion', 'generate_content'] },
  { key: 'llm.request.type', values: ['chat', 'completion'] },
  { key: 'langfuse.observation.type', values: ['generation'] },
  { key: 'mlflow.spanType', values: ['LLM', 'CHAT_MODEL'] },
  { key: 'langsmith.span.kind', values: ['llm'] },
  { key: 'logfire.msg_template', values: ['Chat completion with {gen_ai.request.model!r}'] },
  { key: 'genkit:metadata:subtype', values: ['model'] },
  { key: 'langwatch.span.type', values: ['llm'] },
  { key: 'lmnr.span.type', values: ['LLM'] },
  { key: NO_ANSWERS.judgment.key, values: ['llm'] },
  { key: NO_ANSWERS.agenta.key, values: ['chat', 'completion'] },
  { key: NO_ANSWERS.deepEval.key, values: ['llm'] },
  { key: NO_ANSWERS.spanType.key, values: ['inference', 'inference.framework'] },
  {
    key: 'ai.operationId',
    values: [
      'ai.generateText.doGenerate',
      'ai.streamText.doStream',
      'ai.generateObject.doGenerate',
      'ai.streamObject.doStream',
    ],
  },
];

/** What a model said in one turn of a run, in the words of Claude Code: what it says beside a tool is one of them. */
export const TURN_EVENT = 'assistant_response';

/** The instrumentation whose runs have their turns in log records, which may come after them in another request. */
export const TURN_SCOPE = 'com.anthropic.claude_code.tracing';
