import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';

const unless = [NO_GEN_AI_ANSWERS];

/** Pydantic AI. */
export const PYDANTIC_AI: Dialect = {
  name: 'pydantic_ai',
  source: 'pydantic/pydantic-ai',
  contents: [
    rule('question', 'pydantic_ai', 'pydantic_ai.all_messages', 'state', { unless }),
    // The name of this attribute alone could be anybody's.
    rule('answer', 'pydantic_ai', 'final_result', 'string', { unless, onlyPrefix: 'gen_ai.' }),
  ],
  // To make the model try again.
  feedback: [/\n\nFix the errors and try again\.$/, /^[^\n]*\n<pyai:retry_feedback>\n/],
  deferred: { lists: ['calls', 'approvals'], member: 'tool_call_id' },
  writes: {
    promptOfParts: 'user_prompt',
    // `{kind: 'request', parts: [{part_kind, content}]}`.
    turns: {
      parts: 'parts',
      kind: 'part_kind',
      texts: { 'user-prompt': 'user', text: 'assistant' },
      call: 'tool-call',
      ofModel: { key: 'kind', value: 'response' },
    },
  },
};
