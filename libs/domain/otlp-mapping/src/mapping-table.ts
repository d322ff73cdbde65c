/**
 * The mapping, as data. What a version of it says never changes: a name that is added, or read in another way, makes a
 * new version.
 *
 * Names are those of the OpenTelemetry semantic conventions for generative AI
 * (open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md and gen-ai-events.md), of version 1.36 and
 * before of the same (open-telemetry/semantic-conventions, docs/gen-ai/gen-ai-events.md; `gen_ai.prompt`,
 * `gen_ai.completion` and their events up to 1.27), of OpenInference (Arize-ai/openinference,
 * spec/semantic_conventions.md) and of Traceloop's OpenLLMetry (traceloop/openllmetry,
 * packages/opentelemetry-semantic-conventions-ai).
 */
export const MAPPING_VERSION = 2;

/** Whose names they are. */
type Convention = 'service.audit' | 'gen_ai' | 'gen_ai (older)' | 'openinference' | 'traceloop';

/**
 * How a value is read.
 * - `text`: a string, taken as it is; anything else refuses the item.
 * - `hash`: `sha256:` and 64 hex digits; anything else refuses the item.
 * - `messages`: messages with parts, structured or as a JSON string; a string that is no JSON refuses the item.
 * - `messages_or_text`: the same, or a plain text.
 * - `string`: a string that is not empty, taken as it is; anything else is passed over.
 * - `state`: JSON with which a framework describes a call; the text at a place that `STATE_RULES` names, or none.
 * - `indexed`: messages flattened into one attribute for each member.
 */
type Form = 'text' | 'hash' | 'messages' | 'messages_or_text' | 'string' | 'state' | 'indexed';

/** An attribute that has one of these values, compared without regard to case. */
export type Condition = { readonly key: string; readonly values: readonly string[] };

/** Where a question or an answer may stand. */
export type ContentRule = {
  readonly to: 'question' | 'answer';
  readonly convention: Convention;
  /** The span event or log event whose attributes are meant; null for those of the span or log record itself. */
  readonly event: string | null;
  /** The attribute, or in an event also a member of the log record's body. `N` stands for the number of a message. */
  readonly key: string;
  readonly form: Form;
  /** The rule does not apply to an item of which one of these holds. */
  readonly unless: readonly Condition[];
  /** The rule does not apply to an item that has an attribute that begins so. */
  readonly unlessPrefix?: string;
  /** Members of a flattened message, below `prefix` and its number. */
  readonly indexed?: { readonly prefix: string; readonly member: string };
};

/** Operations and kinds that answer nobody: their input and output is a step on the way. */
const NO_ANSWERS = {
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
    ],
  },
  older: { key: 'llm.request.type', values: ['embedding', 'rerank'] },
  openinference: {
    key: 'openinference.span.kind',
    values: ['EMBEDDING', 'RETRIEVER', 'RERANKER', 'TOOL', 'GUARDRAIL', 'EVALUATOR', 'PROMPT', 'DECISION'],
  },
  traceloop: { key: 'traceloop.span.kind', values: ['task', 'tool'] },
} as const satisfies Readonly<Record<string, Condition>>;

/** The event that carries messages of the current conventions. */
const DETAILS_EVENT = 'gen_ai.client.inference.operation.details';

function rule(
  to: ContentRule['to'],
  convention: Convention,
  key: string,
  form: Form,
  rest: Partial<Pick<ContentRule, 'event' | 'unless' | 'unlessPrefix' | 'indexed'>> = {},
): ContentRule {
  return { to, convention, key, form, event: null, unless: [], ...rest };
}

const genAi = { unless: [NO_ANSWERS.gen_ai] };
const older = { unless: [NO_ANSWERS.gen_ai, NO_ANSWERS.older] };
const openInference = { unless: [NO_ANSWERS.openinference] };
const framework = { unless: [NO_ANSWERS.openinference, { key: 'openinference.span.kind', values: ['LLM'] }] };
const traceloop = { unless: [NO_ANSWERS.traceloop] };

/** Where texts are looked for, first match wins; `text` and `hash` of `service.audit` are one and come first. */
export const CONTENT_RULES: readonly ContentRule[] = [
  rule('question', 'service.audit', 'service.audit.question_text', 'text'),
  rule('question', 'service.audit', 'service.audit.question_hash', 'hash'),
  rule('question', 'gen_ai', 'gen_ai.input.messages', 'messages', genAi),
  rule('question', 'gen_ai', 'gen_ai.input.messages', 'messages', { ...genAi, event: DETAILS_EVENT }),
  rule('question', 'openinference', 'input.value', 'string', {
    unless: [NO_ANSWERS.openinference, { key: 'input.mime_type', values: ['application/json'] }],
  }),
  // Beside this a chain may have a message of another turn.
  rule('question', 'openinference', 'input.value', 'state', framework),
  rule('question', 'openinference', 'llm.input_messages.N.message.content', 'indexed', {
    ...openInference,
    indexed: { prefix: 'llm.input_messages.', member: 'message.' },
  }),
  rule('question', 'openinference', 'input.value', 'state', { ...openInference, unlessPrefix: 'llm.input_messages.' }),
  rule('question', 'traceloop', 'traceloop.entity.input', 'state', traceloop),
  rule('question', 'gen_ai (older)', 'gen_ai.prompt.N.content', 'indexed', {
    ...older,
    indexed: { prefix: 'gen_ai.prompt.', member: '' },
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
  rule('answer', 'openinference', 'output.value', 'string', {
    unless: [NO_ANSWERS.openinference, { key: 'output.mime_type', values: ['application/json'] }],
  }),
  rule('answer', 'openinference', 'output.value', 'state', framework),
  rule('answer', 'openinference', 'llm.output_messages.N.message.content', 'indexed', {
    ...openInference,
    indexed: { prefix: 'llm.output_messages.', member: 'message.' },
  }),
  // JSON of a turn in which the model asked for a tool would look like an answer.
  rule('answer', 'openinference', 'output.value', 'state', { ...openInference, unlessPrefix: 'llm.output_messages.' }),
  rule('answer', 'traceloop', 'traceloop.entity.output', 'state', traceloop),
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

/**
 * Members of a framework's state that are looked into, in their order, if it has no list of messages: the names that
 * LangChain and LangGraph document for the inputs and outputs of their chains, and what wraps them.
 */
export const STATE_RULES: Readonly<Record<ContentRule['to'], readonly string[]>> = {
  question: ['inputs', 'input', 'question', 'query', 'user_input', 'human_input', 'prompt', 'text'],
  answer: [
    'outputs',
    'output',
    'answer',
    'result',
    'response',
    'generation',
    'generations',
    'message',
    'output_text',
    'text',
  ],
};

/** Spans that are one call of a model; the last one below an agent answers where the agent's state names no answer. */
export const MODEL_CALLS: readonly Condition[] = [
  { key: 'openinference.span.kind', values: ['LLM'] },
  { key: 'gen_ai.operation.name', values: ['chat', 'text_completion', 'generate_content'] },
  { key: 'llm.request.type', values: ['chat', 'completion'] },
];

/** Log events of which several make one conversation: those of one span are read together. */
export const MESSAGE_EVENTS: readonly string[] = [
  'gen_ai.system.message',
  'gen_ai.user.message',
  'gen_ai.assistant.message',
  'gen_ai.tool.message',
  'gen_ai.choice',
];

/** Begins the attributes that mark an item as an answer, whatever else it holds. */
export const MARK_PREFIX = 'service.audit.';

/** An attribute of the resource; `marked`: only items with an attribute of `service.audit` are answers. */
export const ANSWERS_KEY = 'service.audit.answers';

/** Where the fields of a record come from, in their order. */
export const FIELD_RULES = {
  application_key: { on: 'resource', keys: ['service.name'] },
  environment: { on: 'resource', keys: ['deployment.environment.name', 'deployment.environment'] },
  idempotency_key: { on: 'item', keys: ['service.audit.idempotency_key'] },
  external_message_id: { on: 'item', keys: ['gen_ai.response.id'] },
  actor_id_hash: { on: 'item', keys: ['enduser.id_hash'] },
  session_id_hash: { on: 'item', keys: ['session.id_hash'] },
  semantic_refs: { on: 'item', keys: ['service.audit.semantic_refs'] },
  source_refs: { on: 'item', keys: ['service.audit.source_refs'] },
} as const;

/** Members of the semantic ref that says what model answered, and the attributes they come from, in their order. */
export const MODEL_RULES = {
  operation: ['gen_ai.operation.name'],
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system'],
  request_model: ['gen_ai.request.model', 'llm.request.model'],
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

/** Where retrieved documents stand. Their contents are taken over as hashes only. */
export type DocumentRule = {
  readonly convention: Convention;
  /** `list`: one attribute with all documents; `indexed`: flattened; `event`: one span event for each document. */
  readonly form: 'list' | 'indexed' | 'event';
  /** The attribute, the prefix of the flattened ones, or the name of the event. */
  readonly key: string;
  /** Names of the members, in the order in which they are tried. */
  readonly id: readonly string[];
  readonly score: readonly string[];
  readonly content: readonly string[];
  /** JSON of what else is known of the document; `METADATA_RULES` fills in what the members above do not say. */
  readonly metadata?: readonly string[];
};

/** Members of a document's metadata, as the loaders of LangChain and LlamaIndex name them. */
export const METADATA_RULES = {
  id: ['source', 'file_name', 'file_path', 'title', 'id'],
  score: ['score', 'relevance_score'],
} as const;

/** Where retrieved documents stand. */
export const DOCUMENT_RULES: readonly DocumentRule[] = [
  {
    convention: 'gen_ai',
    form: 'list',
    key: 'gen_ai.retrieval.documents',
    id: ['id'],
    score: ['score'],
    content: ['content'],
  },
  {
    convention: 'openinference',
    form: 'indexed',
    key: 'retrieval.documents.',
    id: ['document.id'],
    score: ['document.score'],
    content: ['document.content'],
    metadata: ['document.metadata'],
  },
  ...['db.query.result', 'db.search.result'].map((event): DocumentRule => {
    return {
      convention: 'traceloop',
      form: 'event',
      key: event,
      id: [`${event}.id`],
      score: [`${event}.score`, `${event}.distance`],
      content: [`${event}.document`],
    };
  }),
];

/** The store that documents came from. */
export const DATA_SOURCE_KEY = 'gen_ai.data_source.id';

/** Flattened attributes that are read. Others that begin like them, such as arguments of tools, are dropped. */
export const LISTED_PATTERNS: readonly RegExp[] = [
  /^gen_ai\.(?:prompt|completion)\.(?:0|[1-9]\d{0,5})\.(?:role|content)$/,
  /^llm\.(?:input|output)_messages\.(?:0|[1-9]\d{0,5})\.message\.(?:role|content|contents\.(?:0|[1-9]\d{0,5})\.message_content\.(?:type|text))$/,
  /^retrieval\.documents\.(?:0|[1-9]\d{0,5})\.document\.(?:id|score|content|metadata)$/,
];
