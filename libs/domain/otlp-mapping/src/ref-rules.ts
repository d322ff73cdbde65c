import type { Convention } from './content-rules.ts';
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

/** Where retrieved documents stand. Their contents are taken over as hashes only. */
export type DocumentRule = {
  readonly convention: Convention;
  /** `list`: one attribute with all documents; `indexed`: flattened; `event`: one span event for each document. */
  readonly form: 'list' | 'indexed' | 'event';
  /** The event that has a list; null or left out for the item itself. */
  readonly event?: string;
  /** The attribute, the prefix of the flattened ones, or the name of the event. */
  readonly key: string;
  /** The rule applies only to an item of which this holds. */
  readonly when?: Condition;
  /** What was searched for. It is recorded only as a question that a prompt contains. */
  readonly query?: string;
  /** Names of the members, in the order in which they are tried. */
  readonly id: readonly string[];
  readonly score: readonly string[];
  readonly content: readonly string[];
  /** The member of each item of the list that is the document. What has none is no document. */
  readonly wrapped?: string;
  /** The rule applies only to items that have one of these members, whatever the kind of the span. */
  readonly having?: readonly string[];
  /** What else is known stands beside the members above. */
  readonly hasFlatMetadata?: boolean;
  /** JSON of what else is known of the document; `METADATA_RULES` fills in what the members above do not say. */
  readonly metadata?: readonly string[];
};

/** Members of a document's metadata, as the loaders of LangChain, LlamaIndex, Haystack and MLflow name them. */
export const METADATA_RULES = {
  name: ['title', 'file_name', 'filename', 'source', 'file_path', 'doc_uri', 'url', 'uri', 'name'],
  uri: ['url', 'uri', 'source_url', 'doc_uri', 'link', 'file_path', 'source'],
  score: ['score', 'relevance_score'],
} as const;

/** Documents of the current conventions, which need not be shown. */
export const GEN_AI_DOCUMENTS: DocumentRule = {
  convention: 'gen_ai',
  form: 'list',
  key: 'gen_ai.retrieval.documents',
  query: 'gen_ai.retrieval.query.text',
  id: ['id'],
  score: ['score'],
  content: ['content'],
};

/** A search, whether or not it shows what it found. */
export const UNNAMED_RETRIEVAL: Condition = { key: 'gen_ai.operation.name', values: ['retrieval'] };

/** An item with one of these searched in a store of vectors, in the words of OpenLLMetry. */
export const VECTOR_SEARCHES: readonly string[] = [
  'db.vector.query.top_k',
  'db.chroma.query.n_results',
  'db.milvus.search.collection_name',
  'db.marqo.search.query',
  'pinecone.query.top_k',
  'qdrant.search.collection_name',
  'qdrant.search_batch.collection_name',
];

/** Where retrieved documents stand. */
export const DOCUMENT_RULES: readonly DocumentRule[] = [
  GEN_AI_DOCUMENTS,
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
  ...[
    ['langfuse', 'langfuse.observation.output', 'langfuse.observation.type', 'langfuse.observation.input'] as const,
    ['mlflow', 'mlflow.spanOutputs', 'mlflow.spanType', 'mlflow.spanInputs'] as const,
    ['langsmith', 'gen_ai.completion', 'langsmith.span.kind', 'gen_ai.prompt'] as const,
    ['genkit', 'genkit:output', 'genkit:metadata:subtype', 'genkit:input'] as const,
  ].map(([convention, key, kind, query]): DocumentRule => {
    return {
      convention,
      form: 'list',
      key,
      when: { key: kind, values: ['retriever'] },
      query,
      id: ['id'],
      score: ['score'],
      content: ['page_content', 'content', 'text'],
      metadata: ['metadata', 'meta'],
      // Haystack writes it so.
      hasFlatMetadata: true,
    };
  }),
  {
    convention: 'traceloop',
    form: 'list',
    key: 'traceloop.entity.output',
    when: { key: 'traceloop.span.kind', values: ['task'] },
    query: 'traceloop.entity.input',
    wrapped: 'node',
    id: ['id_', 'node_id'],
    score: ['score'],
    content: ['text'],
    metadata: ['metadata'],
  },
  ...['langwatch.rag_contexts', 'langwatch.contexts'].map((key): DocumentRule => {
    return {
      convention: 'langwatch',
      form: 'list',
      key,
      query: 'langwatch.input',
      id: ['document_id', 'chunk_id'],
      score: ['score'],
      content: ['content'],
    };
  }),
  // What LangChain retrieved, in what a step gave back, where no span says that it is a retriever.
  ...[
    ['langfuse', 'langfuse.observation.output', 'langfuse.observation.input'] as const,
    ['traceloop', 'traceloop.entity.output', 'traceloop.entity.input'] as const,
  ].map(([convention, key, query]): DocumentRule => {
    return {
      convention,
      form: 'list',
      key,
      query,
      having: ['page_content', 'pageContent'],
      id: ['id'],
      score: ['score'],
      content: ['page_content', 'pageContent'],
      metadata: ['metadata'],
    };
  }),
  {
    convention: 'haystack',
    form: 'list',
    key: 'haystack.component.output',
    query: 'haystack.component.input',
    having: ['content'],
    hasFlatMetadata: true,
    id: ['id'],
    score: ['score'],
    content: ['content'],
    metadata: ['meta'],
  },
  {
    convention: 'llama_index',
    form: 'list',
    event: 'RetrievalEndEvent',
    key: 'nodes',
    wrapped: 'node',
    id: ['id_', 'node_id'],
    score: ['score'],
    content: ['text'],
    metadata: ['metadata'],
  },
  {
    convention: 'monocle',
    form: 'event',
    key: 'data.output',
    when: { key: 'span.type', values: ['retrieval'] },
    id: [],
    score: [],
    content: ['response'],
  },
  ...['db.query.result', 'db.search.result'].map((event): DocumentRule => {
    return {
      convention: 'traceloop',
      form: 'event',
      key: event,
      id: [`${event}.id`],
      // A distance is no score: what is nearest has the least.
      score: [`${event}.score`],
      content: [`${event}.document`],
      metadata: [`${event}.metadata`],
    };
  }),
];

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

/** The store that documents came from. */
export const DATA_SOURCE_KEY = 'gen_ai.data_source.id';

/** Flattened attributes that are read. Others that begin like them are dropped. */
export const LISTED_PATTERNS: readonly RegExp[] = [
  /^gen_ai\.(?:prompt|completion)\.(?:0|[1-9]\d{0,5})\.(?:role|content|finish_reason|tool_calls\.\d{1,6}\.(?:name|arguments))$/,
  /^(?:llm\.(?:input|output)_messages|gen_ai\.(?:input|output)\.messages)\.(?:0|[1-9]\d{0,5})\.message\.(?:role|content|contents\.(?:0|[1-9]\d{0,5})\.message_content\.(?:type|text))$/,
  /^(?:llm\.(?:input|output)_messages|gen_ai\.(?:input|output)\.messages)\.(?:0|[1-9]\d{0,5})\.message\.tool_calls\.\d{1,6}\.tool_call\.function\.(?:name|arguments)$/,
  /^retrieval\.documents\.(?:0|[1-9]\d{0,5})\.document\.(?:id|score|content|metadata)$/,
];
