import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const TYPE = kindsOf('langfuse.observation.type');
const unless = [TYPE('embedding', 'retriever', 'tool', 'guardrail', 'evaluator', 'event')];

/** Langfuse. */
export const LANGFUSE: Dialect = {
  name: 'langfuse',
  source: 'langfuse/langfuse-python, langfuse/_client/attributes.py',
  contents: [
    rule('question', 'langfuse', 'langfuse.trace.input', 'state', { unless }),
    rule('question', 'langfuse', 'langfuse.observation.input', 'state', { unless }),
    rule('answer', 'langfuse', 'langfuse.trace.output', 'state', { unless }),
    rule('answer', 'langfuse', 'langfuse.observation.output', 'state', { unless }),
  ],
  checks: [TYPE('guardrail', 'evaluator')],
  asides: [TYPE('tool', 'retriever')],
  runs: [TYPE('agent')],
  modelCalls: [TYPE('generation')],
  errorWords: ['langfuse.observation.status_message'],
  failures: [{ key: 'langfuse.observation.level', values: ['ERROR'] }],
  tools: [{ convention: 'langfuse', when: TYPE('tool'), name: [], args: ['langfuse.observation.input'] }],
  documents: [
    {
      convention: 'langfuse',
      form: 'list',
      key: 'langfuse.observation.output',
      when: TYPE('retriever'),
      query: 'langfuse.observation.input',
      id: ['id'],
      score: ['score'],
      content: ['page_content', 'content', 'text'],
      metadata: ['metadata', 'meta'],
      // Haystack writes it so.
      hasFlatMetadata: true,
    },
    // What LangChain retrieved, in what a step gave back, where no span says that it is a retriever.
    {
      convention: 'langfuse',
      form: 'list',
      key: 'langfuse.observation.output',
      query: 'langfuse.observation.input',
      isLast: true,
      having: ['page_content', 'pageContent'],
      id: ['id'],
      score: ['score'],
      content: ['page_content', 'pageContent'],
      metadata: ['metadata'],
    },
  ],
  ids: { actor: ['langfuse.user.id'], session: ['langfuse.session.id'] },
  model: { request_model: ['langfuse.observation.model.name'] },
  prefixes: ['langfuse.'],
  callPrefixes: ['langfuse.observation.'],
  metadataPrefix: 'langfuse.observation.metadata.',
  leftOut: [/^<fully masked due to failed mask function>$/],
  modelWords: [/langfuse/i],
};
