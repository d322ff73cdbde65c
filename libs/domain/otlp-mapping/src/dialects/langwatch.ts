import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import type { DocumentRule } from './document-rule.ts';

const TYPE = kindsOf('langwatch.span.type');
const unless = [TYPE('tool', 'rag', 'guardrail', 'evaluation')];

/** LangWatch. */
export const LANGWATCH: Dialect = {
  name: 'langwatch',
  source: 'langwatch/langwatch, python-sdk',
  contents: [
    rule('question', 'langwatch', 'langwatch.input', 'state', { unless }),
    rule('answer', 'langwatch', 'langwatch.output', 'state', { unless }),
  ],
  checks: [TYPE('guardrail', 'evaluation')],
  asides: [TYPE('tool', 'rag')],
  runs: [TYPE('agent')],
  modelCalls: [TYPE('llm')],
  tools: [{ convention: 'langwatch', when: TYPE('tool'), name: [], args: ['langwatch.input'] }],
  documents: ['langwatch.rag_contexts', 'langwatch.contexts'].map((key): DocumentRule => {
    return {
      convention: 'langwatch',
      form: 'list',
      key,
      query: 'langwatch.input',
      isLast: true,
      id: ['document_id', 'chunk_id'],
      score: ['score'],
      content: ['content'],
    };
  }),
  prefixes: ['langwatch.'],
  callPrefixes: ['langwatch.'],
  writes: { typedBox: { type: 'type', value: 'value' } },
};
