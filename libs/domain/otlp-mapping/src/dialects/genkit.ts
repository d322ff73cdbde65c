import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const SUBTYPE = kindsOf('genkit:metadata:subtype');
const unless = [
  SUBTYPE(
    ...['tool', 'tool.v2', 'resource', 'retriever', 'reranker', 'embedder', 'indexer', 'evaluator'],
    ...['prompt', 'executable-prompt'],
  ),
];

/** Genkit. */
export const GENKIT: Dialect = {
  name: 'genkit',
  source: 'firebase/genkit, js/core/src/tracing',
  contents: [
    rule('question', 'genkit', 'genkit:input', 'state', { unless }),
    rule('answer', 'genkit', 'genkit:output', 'state', { unless }),
  ],
  checks: [SUBTYPE('evaluator')],
  asides: [SUBTYPE('tool', 'tool.v2', 'retriever', 'reranker')],
  modelCalls: [SUBTYPE('model')],
  tools: [{ convention: 'genkit', when: SUBTYPE('tool', 'tool.v2'), name: ['genkit:name'], args: ['genkit:input'] }],
  documents: [
    {
      convention: 'genkit',
      form: 'list',
      key: 'genkit:output',
      when: SUBTYPE('retriever'),
      query: 'genkit:input',
      id: ['id'],
      score: ['score'],
      content: ['page_content', 'content', 'text'],
      metadata: ['metadata', 'meta'],
      hasFlatMetadata: true,
    },
  ],
  prefixes: ['genkit:'],
  callPrefixes: ['genkit:'],
  writes: {
    calls: { in: ['toolRequest'] },
    // Documents are parts of a message.
    contextPart: { key: 'purpose', value: 'context' },
    dataPart: 'data',
  },
};
