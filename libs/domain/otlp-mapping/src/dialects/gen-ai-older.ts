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

/** Microsoft's libraries write the message of an event as JSON of an object, which may name no author. */
const LOGGED_KEY = 'gen_ai.event.content';
const ofObjects = { mayBeObject: true } as const;

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
    rule('question', NAME, LOGGED_KEY, 'messages_or_text', { ...older, event: 'gen_ai.user.message', ...ofObjects }),
    ...['content', 'body'].map((key) =>
      rule('question', NAME, key, 'messages_or_text', { ...older, event: 'gen_ai.user.message' }),
    ),
    rule('answer', NAME, 'gen_ai.completion.N.content', 'indexed', {
      ...older,
      indexed: { prefix: 'gen_ai.completion.', member: '' },
    }),
    rule('answer', NAME, 'gen_ai.completion', 'messages_or_text', older),
    rule('answer', NAME, 'gen_ai.completion', 'messages_or_text', { ...older, event: 'gen_ai.content.completion' }),
    rule('answer', NAME, LOGGED_KEY, 'messages_or_text', { ...older, event: 'gen_ai.choice', ...ofObjects }),
    ...['message', 'content', 'body'].map((key) =>
      rule('answer', NAME, key, 'messages_or_text', { ...older, event: 'gen_ai.choice' }),
    ),
  ],
  modelCalls: [REQUEST_TYPE('chat', 'completion')],
  messageEvents: [
    { event: 'gen_ai.system.message', kind: 'other' },
    { event: 'gen_ai.user.message', kind: 'other', author: 'role' },
    { event: 'gen_ai.assistant.message', kind: 'other', calls: 'tool_calls' },
    { event: 'gen_ai.tool.message', kind: 'other' },
    { event: 'gen_ai.choice', kind: 'choice', author: 'role' },
  ],
  severalPrompts: {
    completion: 'gen_ai.completion.1.content',
    prompts: ['gen_ai.prompt.1.content', 'gen_ai.prompt.1.user'],
    roles: ['gen_ai.prompt.0.role', 'gen_ai.prompt.1.role'],
  },
  listed: [
    /^gen_ai\.(?:prompt|completion)\.(?:0|[1-9]\d{0,5})\.(?:role|content|user|finish_reason|tool_calls\.\d{1,6}\.(?:name|arguments))$/,
  ],
};
