import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const KIND = kindsOf('langsmith.span.kind');

/** How its attributes begin. It writes states under names of the older conventions. */
export const LANGSMITH_PREFIX = 'langsmith.';

const ofLangSmith = {
  unless: [KIND('tool', 'retriever', 'embedding', 'prompt', 'parser')],
  onlyPrefix: LANGSMITH_PREFIX,
};

/** LangSmith. */
export const LANGSMITH: Dialect = {
  name: 'langsmith',
  source: 'langchain-ai/langsmith-sdk, python/langsmith/_internal/otel',
  contents: [
    rule('question', 'langsmith', 'gen_ai.prompt', 'state', ofLangSmith),
    rule('answer', 'langsmith', 'gen_ai.completion', 'state', ofLangSmith),
  ],
  asides: [KIND('tool', 'retriever')],
  modelCalls: [KIND('llm')],
  tools: [{ convention: 'langsmith', when: KIND('tool'), name: [], args: ['gen_ai.prompt'] }],
  documents: [
    {
      convention: 'langsmith',
      form: 'list',
      key: 'gen_ai.completion',
      when: KIND('retriever'),
      query: 'gen_ai.prompt',
      id: ['id'],
      score: ['score'],
      content: ['page_content', 'content', 'text'],
      metadata: ['metadata', 'meta'],
      hasFlatMetadata: true,
    },
  ],
  metadataPrefix: 'langsmith.metadata.',
  modelWords: [/langsmith/i],
};
