import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';

const unless = [NO_GEN_AI_ANSWERS];

/** Sentry. */
export const SENTRY: Dialect = {
  name: 'sentry',
  source: 'getsentry/sentry-javascript, packages/core/src/tracing',
  contents: [
    rule('question', 'sentry', 'gen_ai.request.messages', 'messages_or_text', { unless }),
    rule('answer', 'sentry', 'gen_ai.response.text', 'messages_or_text', {
      unless,
      unlessCalls: 'gen_ai.response.tool_calls',
    }),
  ],
  // What is no text is written as JSON by those for Node.
  quirks: [{ scopes: ['@sentry/*'], nestsMessages: true }],
};
