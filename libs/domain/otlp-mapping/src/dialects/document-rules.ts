import type { Convention } from './content-rule.ts';
import type { Condition } from './item-kinds.ts';

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

/** The store that documents came from. */
export const DATA_SOURCE_KEY = 'gen_ai.data_source.id';
