import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

/** Conditions about the operation of a span of the conventions. */
export const OPERATION = kindsOf('gen_ai.operation.name');

/** Operations that answer nobody: their input and output is a step on the way. */
export const NO_GEN_AI_ANSWERS = OPERATION(
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
);

const genAi = { unless: [NO_GEN_AI_ANSWERS] };

/** The event that carries messages of the current conventions. */
const DETAILS_EVENT = 'gen_ai.client.inference.operation.details';

/** Variables of a prompt that a question is filled in for; what is around them may be documents. */
export const PROMPT_VARIABLES = ['question', 'query', 'input', 'user_input', 'human_input'];
const PROMPT_VARIABLE_PREFIX = 'gen_ai.prompt.variable.';

/** Documents of the current conventions, which need not be shown, and what was searched for. */
const DOCUMENTS_KEY = 'gen_ai.retrieval.documents';
const QUERY_KEY = 'gen_ai.retrieval.query.text';

/** The conventions of OpenTelemetry for generative AI. */
export const GEN_AI: Dialect = {
  name: 'gen_ai',
  source: 'open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md and gen-ai-events.md',
  contents: [
    ...PROMPT_VARIABLES.map((name) => rule('question', 'gen_ai', PROMPT_VARIABLE_PREFIX + name, 'string', genAi)),
    rule('question', 'gen_ai', 'gen_ai.input.messages', 'messages', genAi),
    rule('question', 'gen_ai', 'gen_ai.input.messages', 'messages', { ...genAi, event: DETAILS_EVENT }),
    rule('answer', 'gen_ai', 'gen_ai.output.messages', 'messages', genAi),
    rule('answer', 'gen_ai', 'gen_ai.output.messages', 'messages', { ...genAi, event: DETAILS_EVENT }),
  ],
  checks: [OPERATION('guardrail_check')],
  asides: [OPERATION('execute_tool', 'retrieval')],
  runs: [
    {
      // `enter` is LoongSuite's: an application is asked.
      ...OPERATION('invoke_agent', 'invoke_workflow', 'invoke_graph', 'invoke_swarm', 'conversation', 'enter'),
      // A whole session of LiveKit is one trace: each turn of the agent below it is a run.
      except: { key: 'gen_ai.workflow.name', values: ['agent_session'] },
    },
  ],
  modelCalls: [OPERATION('chat', 'text_completion', 'generate_content')],
  tools: [
    {
      convention: 'gen_ai',
      when: OPERATION('execute_tool'),
      name: ['gen_ai.tool.name'],
      args: ['gen_ai.tool.call.arguments', 'gcp.vertex.agent.tool_call_args'],
    },
  ],
  documents: [
    {
      convention: 'gen_ai',
      form: 'list',
      key: DOCUMENTS_KEY,
      query: QUERY_KEY,
      id: ['id'],
      score: ['score'],
      content: ['content'],
    },
  ],
  ids: {
    actor: ['enduser.id', 'user.id', 'enduser.pseudo.id'],
    session: ['session.id', 'gen_ai.conversation.id'],
  },
  model: {
    operation: ['gen_ai.operation.name'],
    provider: ['gen_ai.provider.name', 'gen_ai.system'],
    // Those of `llm` were the names before.
    request_model: ['gen_ai.request.model', 'llm.request.model'],
    response_model: ['gen_ai.response.model', 'llm.response.model'],
    finish_reasons: ['gen_ai.response.finish_reasons', 'gen_ai.completion.0.finish_reason'],
  },
  prefixes: ['gen_ai.'],
  callPrefixes: ['gen_ai.request.', 'gen_ai.response.', 'gen_ai.usage.', 'gen_ai.prompt', 'gen_ai.completion', 'llm.'],
  quirks: [
    { scopes: ['opentelemetry.instrumentation.openai.v1'], showsCalls: true },
    { scopes: ['opentelemetry.instrumentation.genai.langchain'], endsWithObject: true },
    {
      scopes: [
        'opentelemetry.instrumentation.transformers',
        'opentelemetry.instrumentation.transformers.text_generation_pipeline_wrapper',
      ],
      repeatsPrompt: 'gen_ai.prompt.0.content',
    },
    { scopes: ['io.quarkus.opentelemetry'], joinsPrompt: 'gen_ai.prompt' },
  ],
  callEvent: DETAILS_EVENT,
  conversation: { given: 'gen_ai.input.messages', said: 'gen_ai.output.messages' },
  instructionKeys: ['gen_ai.system_instructions'],
  promptVariables: PROMPT_VARIABLE_PREFIX,
  assembling: [OPERATION('invoke_workflow')],
  searches: { when: OPERATION('retrieval'), found: DOCUMENTS_KEY, query: QUERY_KEY },
  toolSpans: [/^execute_tool (.[^]*)$/],
};
