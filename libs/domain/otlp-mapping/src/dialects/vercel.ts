import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const OPERATION_ID = kindsOf('ai.operationId');

/** Vercel's AI SDK. Processors of others add their own names to its spans. */
export const VERCEL: Dialect = {
  name: 'vercel',
  source: 'vercel/ai, packages/ai, telemetry',
  contents: [
    rule('question', 'vercel', 'ai.prompt', 'state'),
    rule('question', 'vercel', 'ai.prompt.messages', 'state'),
    rule('answer', 'vercel', 'ai.response.text', 'string', { unlessPrefixes: ['ai.response.toolCalls'] }),
    rule('answer', 'vercel', 'ai.response.object', 'string'),
  ],
  asides: [OPERATION_ID('ai.toolCall')],
  modelCalls: [
    OPERATION_ID(
      'ai.generateText.doGenerate',
      'ai.streamText.doStream',
      'ai.generateObject.doGenerate',
      'ai.streamObject.doStream',
    ),
  ],
  callers: [OPERATION_ID('ai.generateText', 'ai.streamText', 'ai.generateObject', 'ai.streamObject')],
  tools: [
    {
      convention: 'vercel',
      when: OPERATION_ID('ai.toolCall'),
      name: ['ai.toolCall.name'],
      args: ['ai.toolCall.args'],
      isLast: true,
    },
  ],
  ids: { isLast: true, actor: ['ai.telemetry.metadata.userId'], session: ['ai.telemetry.metadata.sessionId'] },
  prefixes: ['ai.'],
};
