import type { ContentRule, Convention, Form } from './content-rule.ts';
import {
  type Condition,
  LANGCHAIN_STEP,
  MONOCLE_RUN,
  NETRA_STEP,
  NO_ANSWERS,
  NO_OPENINFERENCE_ANSWERS,
  ofKinds,
  TURN_EVENT,
  VOLTAGENT_WORKFLOW,
} from './item-kinds.ts';

const JSON_INPUT: Condition = { key: 'input.mime_type', values: ['application/json'] };
const JSON_OUTPUT: Condition = { key: 'output.mime_type', values: ['application/json'] };

/** The event that carries messages of the current conventions. */
export const DETAILS_EVENT = 'gen_ai.client.inference.operation.details';

function rule(
  to: ContentRule['to'],
  convention: Convention,
  key: string,
  form: Form,
  rest: Partial<
    Pick<ContentRule, 'event' | 'unless' | 'unlessPrefixes' | 'unlessAsking' | 'onlyPrefix' | 'indexed'>
  > = {},
): ContentRule {
  return { to, convention, key, form, event: null, unless: [], ...rest };
}

const genAi = { unless: [NO_ANSWERS.gen_ai] };
/** LangSmith writes states under names of the older conventions. */
const LANGSMITH_PREFIX = 'langsmith.';
const older = { unless: [NO_ANSWERS.gen_ai, NO_ANSWERS.older], unlessPrefixes: [LANGSMITH_PREFIX] };
const langsmith = { unless: [NO_ANSWERS.langsmith], onlyPrefix: LANGSMITH_PREFIX };
const openInference = { unless: NO_OPENINFERENCE_ANSWERS };
const framework = { unless: [...NO_OPENINFERENCE_ANSWERS, ...ofKinds('LLM')] };
/** Messages of OpenInference, and of traceAI. Beside them, what a call was given is shown once more. */
const INPUTS = [
  ['openinference', 'llm.input_messages.'],
  ['traceai', 'gen_ai.input.messages.'],
] as const;
const OUTPUTS = [
  ['openinference', 'llm.output_messages.'],
  ['traceai', 'gen_ai.output.messages.'],
] as const;
/** What OpenInference's processor for Vercel's AI SDK shows once more: an object that is the answer, as a state. */
const VERCEL_ANSWERS = ['ai.response.text', 'ai.response.object', 'ai.response.toolCalls'];
const withoutInputs = { ...openInference, unlessPrefixes: INPUTS.map(([, prefix]) => prefix) };
const withoutOutputs = {
  ...openInference,
  unlessPrefixes: [...OUTPUTS.map(([, prefix]) => prefix), ...VERCEL_ANSWERS],
};
/** A model that refuses is shown as a message of nobody's words: beside it stands what it said. */
const ofRefusal = {
  ...openInference,
  unlessPrefixes: [
    ...OUTPUTS.flatMap(([, prefix]) => [`${prefix}0.message.content`, `${prefix}0.message.tool_calls`, `${prefix}1.`]),
    ...VERCEL_ANSWERS,
  ],
};
const traceloop = { unless: [NO_ANSWERS.traceloop, LANGCHAIN_STEP] };
const langfuse = { unless: [NO_ANSWERS.langfuse] };
const mlflow = { unless: [NO_ANSWERS.mlflow] };
const genkit = { unless: [NO_ANSWERS.genkit] };
const langwatch = { unless: [NO_ANSWERS.langwatch] };
const laminar = { unless: [NO_ANSWERS.laminar] };
const monocle = { unless: [NO_ANSWERS.spanType] };
/** What an agent gives back may be its question, or the words of a pause: what a model said below it is its answer. */
const monocleCalls = { unless: [NO_ANSWERS.spanType, MONOCLE_RUN] };
const voltagent = { unless: [NO_ANSWERS.spanType], onlyPrefix: 'entity.type' };
const agenta = { unless: [NO_ANSWERS.agenta], onlyPrefix: NO_ANSWERS.agenta.key };
const netra = { unless: [NO_ANSWERS.netra, NETRA_STEP], onlyPrefix: NETRA_STEP.key };
/** What traceAI tells of a conversation with an agent of Claude. */
const claudeAgent = { onlyPrefix: 'claude_agent.span_kind' };
const deepEval = { unless: [NO_ANSWERS.deepEval] };
/** What Langflow tells Traceloop of the run of a flow. */
const langflow = { onlyPrefix: 'workflow_id' };
const judgment = { unless: [NO_ANSWERS.judgment] };
/** The names of these attributes alone could be anybody's. */
const ofGenAi = { ...genAi, onlyPrefix: 'gen_ai.' };
/** What Logfire tells of agents of the OpenAI Agents SDK that use OpenAI's interface for chats. */
const ofChats = { ...genAi, onlyPrefix: 'request_data' };
const ofCalls = { ...genAi, onlyPrefix: 'gen_ai.operation.name' };

function flattened(to: ContentRule['to'], convention: Convention, prefix: string): ContentRule {
  const indexed = { prefix, member: 'message.' };
  return rule(to, convention, `${prefix}N.message.content`, 'indexed', { ...openInference, indexed });
}

/** What Mastra runs for somebody. */
const MASTRA_RUNS = ['agent_run', 'workflow_run'];

/** What Haystack runs for somebody, and what it writes of that. */
const HAYSTACK_RUNS = [
  ['haystack.agent.input', 'haystack.agent.output'],
  ['haystack.pipeline.input_data', 'haystack.pipeline.output_data'],
] as const;

/** What a pipeline was given, in OpenLIT's words. It shows no more of what came out than how many answers there are. */
const OPENLIT_INPUT = 'gen_ai.framework.pipeline.input_data';

/** The turn of a speaking agent, in LiveKit's words; before version 1.7 without `pii`. */
const LIVEKIT_TURN = [
  ['lk.pii.user_input', 'lk.pii.response.text'],
  ['lk.user_input', 'lk.response.text'],
] as const;

/** What LlamaIndex's own instrumentation tells of queries, chats and calls of models. */
const LLAMA_INDEX = {
  question: [
    ['QueryStartEvent', 'query'],
    ['QueryStartEvent', 'query.query_str'],
    ['AgentChatWithStepStartEvent', 'user_msg'],
    ['LLMChatStartEvent', 'messages'],
  ],
  answer: [
    ['QueryEndEvent', 'response.response'],
    ['AgentChatWithStepEndEvent', 'response.response'],
    ['LLMChatEndEvent', 'response.message.blocks'],
  ],
} as const;

/** Variables of a prompt that a question is filled in for; what is around them may be documents. */
const PROMPT_VARIABLES = ['question', 'query', 'input', 'user_input', 'human_input'];
export const PROMPT_VARIABLE_PREFIX = 'gen_ai.prompt.variable.';

/** What DeepEval tells of a trace, and of a span of it. */
const DEEPEVAL = ['trace', 'span'];

/** Where texts are looked for, first match wins; `text` and `hash` of `service.audit` are one and come first. */
export const CONTENT_RULES: readonly ContentRule[] = [
  rule('question', 'service.audit', 'service.audit.question_text', 'text'),
  rule('question', 'service.audit', 'service.audit.question_hash', 'hash'),
  ...PROMPT_VARIABLES.map((name) => rule('question', 'gen_ai', PROMPT_VARIABLE_PREFIX + name, 'string', genAi)),
  rule('question', 'gen_ai', 'gen_ai.input.messages', 'messages', genAi),
  rule('question', 'gen_ai', 'gen_ai.input.messages', 'messages', { ...genAi, event: DETAILS_EVENT }),
  rule('question', 'pydantic_ai', 'pydantic_ai.all_messages', 'state', genAi),
  // Beside this a chain may have a message of another turn.
  rule('question', 'openinference', 'input.value', 'state', framework),
  ...INPUTS.map(([convention, prefix]) => flattened('question', convention, prefix)),
  rule('question', 'openinference', 'input.value', 'printed', {
    ...withoutInputs,
    unless: [...openInference.unless, JSON_INPUT],
  }),
  rule('question', 'openinference', 'input.value', 'state', withoutInputs),
  rule('question', 'openinference', 'crew_tasks', 'state', framework),
  rule('question', 'traceloop', 'crewai.task.description', 'printed'),
  rule('question', 'traceloop', 'traceloop.entity.input', 'state', traceloop),
  rule('question', 'langfuse', 'langfuse.trace.input', 'state', langfuse),
  rule('question', 'langfuse', 'langfuse.observation.input', 'state', langfuse),
  rule('question', 'mlflow', 'mlflow.spanInputs', 'state', mlflow),
  rule('question', 'vercel', 'ai.prompt', 'state'),
  rule('question', 'vercel', 'ai.prompt.messages', 'state'),
  rule('question', 'logfire', 'events', 'state', ofGenAi),
  rule('question', 'logfire', 'input', 'state', ofChats),
  rule('question', 'pipecat', 'input', 'state', ofCalls),
  rule('question', 'langsmith', 'gen_ai.prompt', 'state', langsmith),
  rule('question', 'adk', 'gcp.vertex.agent.llm_request', 'state', genAi),
  ...MASTRA_RUNS.map((run) => rule('question', 'mastra', `mastra.${run}.input`, 'state', genAi)),
  rule('question', 'genkit', 'genkit:input', 'state', genkit),
  rule('question', 'langwatch', 'langwatch.input', 'state', langwatch),
  rule('question', 'laminar', 'lmnr.span.input', 'state', laminar),
  ...HAYSTACK_RUNS.map(([key]) => rule('question', 'haystack', key, 'state')),
  rule('question', 'openlit', OPENLIT_INPUT, 'state', genAi),
  ...LIVEKIT_TURN.map(([key]) => rule('question', 'livekit', key, 'string')),
  ...LLAMA_INDEX.question.map(([event, key]) => rule('question', 'llama_index', key, 'state', { event })),
  rule('question', 'monocle', 'input', 'keyed', { ...monocle, event: 'data.input' }),
  rule('question', 'voltagent', 'input', 'state', voltagent),
  rule('question', 'nemo_guardrails', 'content', 'string', { event: 'guardrails.user_message' }),
  rule('question', 'judgment', 'judgment.input', 'state', judgment),
  ...PROMPT_VARIABLES.map((name) => rule('question', 'agenta', `ag.data.inputs.${name}`, 'string', agenta)),
  rule('question', 'langflow', 'outputs', 'flow', langflow),
  ...DEEPEVAL.map((of) => rule('question', 'deepeval', `confident.${of}.input`, 'state', deepEval)),
  rule('question', 'netra', 'input', 'state', netra),
  rule('question', 'traceai', 'claude_agent.prompt', 'string', claudeAgent),
  rule('question', 'claude_code', 'user_prompt', 'string', ofCalls),
  rule('question', 'sentry', 'gen_ai.request.messages', 'messages_or_text', genAi),
  rule('question', 'gen_ai (older)', 'gen_ai.prompt.N.content', 'indexed', {
    ...older,
    indexed: { prefix: 'gen_ai.prompt.', member: '' },
  }),
  rule('question', 'gen_ai (older)', 'gen_ai.prompt.N.user', 'indexed', {
    ...older,
    indexed: { prefix: 'gen_ai.prompt.', member: '', content: 'user' },
  }),
  rule('question', 'gen_ai (older)', 'gen_ai.prompt', 'messages_or_text', older),
  rule('question', 'gen_ai (older)', 'gen_ai.prompt', 'messages_or_text', { ...older, event: 'gen_ai.content.prompt' }),
  ...['gen_ai.event.content', 'content', 'body'].map((key) =>
    rule('question', 'gen_ai (older)', key, 'messages_or_text', { ...older, event: 'gen_ai.user.message' }),
  ),

  rule('answer', 'service.audit', 'service.audit.answer_text', 'text'),
  rule('answer', 'service.audit', 'service.audit.answer_hash', 'hash'),
  rule('answer', 'gen_ai', 'gen_ai.output.messages', 'messages', genAi),
  rule('answer', 'gen_ai', 'gen_ai.output.messages', 'messages', { ...genAi, event: DETAILS_EVENT }),
  rule('answer', 'pydantic_ai', 'final_result', 'string', ofGenAi),
  rule('answer', 'openinference', 'output.value', 'state', {
    ...framework,
    unlessPrefixes: VERCEL_ANSWERS,
    unlessAsking: OUTPUTS.map(([, prefix]) => prefix),
  }),
  ...OUTPUTS.map(([convention, prefix]) => flattened('answer', convention, prefix)),
  // What shows a turn in which the model asked for a tool would look like an answer.
  rule('answer', 'openinference', 'output.value', 'printed', {
    ...withoutOutputs,
    unless: [...openInference.unless, JSON_OUTPUT],
  }),
  rule('answer', 'openinference', 'output.value', 'state', ofRefusal),
  rule('answer', 'traceloop', 'traceloop.entity.output', 'state', traceloop),
  rule('answer', 'langfuse', 'langfuse.trace.output', 'state', langfuse),
  rule('answer', 'langfuse', 'langfuse.observation.output', 'state', langfuse),
  rule('answer', 'mlflow', 'mlflow.spanOutputs', 'state', mlflow),
  rule('answer', 'vercel', 'ai.response.text', 'string', { unlessPrefixes: ['ai.response.toolCalls'] }),
  rule('answer', 'vercel', 'ai.response.object', 'string'),
  rule('answer', 'logfire', 'events', 'state', ofGenAi),
  rule('answer', 'logfire', 'output', 'state', ofChats),
  rule('answer', 'pipecat', 'output', 'printed', ofCalls),
  rule('answer', 'langsmith', 'gen_ai.completion', 'state', langsmith),
  rule('answer', 'adk', 'gcp.vertex.agent.llm_response', 'state', genAi),
  ...MASTRA_RUNS.map((run) => rule('answer', 'mastra', `mastra.${run}.output`, 'state', genAi)),
  rule('answer', 'genkit', 'genkit:output', 'state', genkit),
  rule('answer', 'langwatch', 'langwatch.output', 'state', langwatch),
  rule('answer', 'laminar', 'lmnr.span.output', 'state', laminar),
  ...HAYSTACK_RUNS.map(([, key]) => rule('answer', 'haystack', key, 'state')),
  ...LIVEKIT_TURN.map(([, key]) => rule('answer', 'livekit', key, 'string')),
  ...LLAMA_INDEX.answer.map(([event, key]) => rule('answer', 'llama_index', key, 'state', { event })),
  rule('answer', 'monocle', 'response', 'keyed', { ...monocleCalls, event: 'data.output' }),
  rule('answer', 'voltagent', 'output', 'string', { ...voltagent, unless: [...voltagent.unless, VOLTAGENT_WORKFLOW] }),
  rule('answer', 'voltagent', 'output', 'state', voltagent),
  rule('answer', 'nemo_guardrails', 'content', 'string', { event: 'guardrails.utterance.bot.started' }),
  rule('answer', 'judgment', 'judgment.output', 'state', judgment),
  rule('answer', 'agenta', 'ag.data.outputs.__default__', 'printed', agenta),
  rule('answer', 'langflow', 'outputs', 'flow', langflow),
  ...DEEPEVAL.map((of) => rule('answer', 'deepeval', `confident.${of}.output`, 'state', deepEval)),
  rule('answer', 'netra', 'output', 'state', netra),
  rule('answer', 'traceai', 'output', 'state', claudeAgent),
  rule('answer', 'claude_code', 'response', 'string', { event: TURN_EVENT, onlyPrefix: 'prompt.id' }),
  rule('answer', 'sentry', 'gen_ai.response.text', 'messages_or_text', genAi),
  rule('answer', 'gen_ai (older)', 'gen_ai.completion.N.content', 'indexed', {
    ...older,
    indexed: { prefix: 'gen_ai.completion.', member: '' },
  }),
  rule('answer', 'gen_ai (older)', 'gen_ai.completion', 'messages_or_text', older),
  rule('answer', 'gen_ai (older)', 'gen_ai.completion', 'messages_or_text', {
    ...older,
    event: 'gen_ai.content.completion',
  }),
  ...['gen_ai.event.content', 'message', 'content', 'body'].map((key) =>
    rule('answer', 'gen_ai (older)', key, 'messages_or_text', { ...older, event: 'gen_ai.choice' }),
  ),
];
