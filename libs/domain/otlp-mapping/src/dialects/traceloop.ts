import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import type { DocumentRule } from './document-rule.ts';
import { LANGCHAIN_STEP } from './langchain.ts';

const KIND = kindsOf('traceloop.span.kind');
const unless = [KIND('task', 'tool'), LANGCHAIN_STEP];

/** OpenLLMetry, which is Traceloop's. */
export const TRACELOOP: Dialect = {
  name: 'traceloop',
  source: 'traceloop/openllmetry, packages/opentelemetry-semantic-conventions-ai',
  contents: [
    rule('question', 'traceloop', 'crewai.task.description', 'printed'),
    rule('question', 'traceloop', 'traceloop.entity.input', 'state', { unless }),
    rule('answer', 'traceloop', 'traceloop.entity.output', 'state', { unless }),
  ],
  asides: [
    KIND('tool'),
    // It names the tools of LlamaIndex, and says of them no more than of any step.
    { key: 'traceloop.entity.name', values: ['FunctionTool.task', 'QueryEngineTool.task', 'RetrieverTool.task'] },
  ],
  callers: [KIND('workflow', 'agent')],
  tools: [
    {
      convention: 'traceloop',
      when: KIND('tool'),
      name: ['traceloop.entity.name'],
      args: ['traceloop.entity.input'],
    },
  ],
  documents: [
    {
      convention: 'traceloop',
      form: 'list',
      key: 'traceloop.entity.output',
      when: KIND('task'),
      query: 'traceloop.entity.input',
      isLast: true,
      wrapped: 'node',
      id: ['id_', 'node_id'],
      score: ['score'],
      content: ['text'],
      metadata: ['metadata'],
    },
    // What LangChain retrieved, in what a step gave back, where no span says that it is a retriever.
    {
      convention: 'traceloop',
      form: 'list',
      key: 'traceloop.entity.output',
      query: 'traceloop.entity.input',
      isLast: true,
      having: ['page_content', 'pageContent'],
      id: ['id'],
      score: ['score'],
      content: ['page_content', 'pageContent'],
      metadata: ['metadata'],
    },
    ...['db.query.result', 'db.search.result'].map((event): DocumentRule => {
      return {
        convention: 'traceloop',
        form: 'event',
        key: event,
        isLast: true,
        id: [`${event}.id`],
        // A distance is no score: what is nearest has the least.
        score: [`${event}.score`],
        content: [`${event}.document`],
        metadata: [`${event}.metadata`],
      };
    }),
  ],
  vectorSearches: [
    'db.vector.query.top_k',
    'db.chroma.query.n_results',
    'db.milvus.search.collection_name',
    'db.marqo.search.query',
    'pinecone.query.top_k',
    'qdrant.search.collection_name',
    'qdrant.search_batch.collection_name',
  ],
  ids: {
    isLast: true,
    actor: ['traceloop.association.properties.user_id'],
    session: ['traceloop.association.properties.session_id', 'traceloop.association.properties.thread_id'],
  },
  prefixes: ['traceloop.'],
  quirks: [
    // What is no text is written as JSON by those for Node.
    { scopes: ['@traceloop/instrumentation-*'], nestsMessages: true },
    { scopes: ['@traceloop/instrumentation-llamaindex'], areCallsHidden: true },
  ],
  metadataPrefix: 'traceloop.association.properties.',
  // What a middleware of LangChain.js says in the place of a model, which no call shows.
  endings: {
    when: LANGCHAIN_STEP,
    given: 'traceloop.entity.input',
    said: 'traceloop.entity.output',
    member: 'jumpTo',
    value: 'end',
  },
};
