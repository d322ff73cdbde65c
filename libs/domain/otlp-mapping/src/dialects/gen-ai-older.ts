import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';
import { LANGSMITH_PREFIX } from './langsmith.ts';

const REQUEST_TYPE = kindsOf('llm.request.type');

const older = {
  unless: [NO_GEN_AI_ANSWERS, REQUEST_TYPE('embedding', 'rerank')],
  // LangSmith writes states under the same names.
  unlessPrefixes: [LANGSMITH_PREFIX],
  isCompletion: true,
} as const;

const NAME = 'gen_ai (older)';

/** The conventions up to version 1.36: one event or attribute for each message. */
export const GEN_AI_OLDER: Dialect = {
  name: NAME,
  source: 'open-telemetry/semantic-conventions, docs/gen-ai/gen-ai-events.md, up to 1.36 and up to 1.27',
  contents: [
    rule('question', NAME, 'gen_ai.prompt.N.content', 'indexed', {
      ...older,
      indexed: { prefix: 'gen_ai.prompt.', member: '' },
    }),
    rule('question', NAME, 'gen_ai.prompt.N.user', 'indexed', {
      ...older,
      indexed: { prefix: 'gen_ai.prompt.', member: '', content: 'user' },
    }),
    rule('question', NAME, 'gen_ai.prompt', 'messages_or_text', older),
    rule('question', NAME, 'gen_ai.prompt', 'messages_or_text', { ...older, event: 'gen_ai.content.prompt' }),
    ...['gen_ai.event.content', 'content', 'body'].map((key) =>
      rule('question', NAME, key, 'messages_or_text', { ...older, event: 'gen_ai.user.message' }),
    ),
    rule('answer', NAME, 'gen_ai.completion.N.content', 'indexed', {
      ...older,
      indexed: { prefix: 'gen_ai.completion.', member: '' },
    }),
    rule('answer', NAME, 'gen_ai.completion', 'messages_or_text', older),
    rule('answer', NAME, 'gen_ai.completion', 'messages_or_text', { ...older, event: 'gen_ai.content.completion' }),
    ...['gen_ai.event.content', 'message', 'content', 'body'].map((key) =>
      rule('answer', NAME, key, 'messages_or_text', { ...older, event: 'gen_ai.choice' }),
    ),
  ],
  modelCalls: [REQUEST_TYPE('chat', 'completion')],
};
