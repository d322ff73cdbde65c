import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';

/** What a model said in one turn of a run: what it says beside a tool is one of them. */
const TURN_EVENT = 'assistant_response';

/** Claude Code. */
export const CLAUDE_CODE: Dialect = {
  name: 'claude_code',
  source: 'anthropics/claude-code, monitoring',
  contents: [
    rule('question', 'claude_code', 'user_prompt', 'string', {
      unless: [NO_GEN_AI_ANSWERS],
      onlyPrefix: 'gen_ai.operation.name',
    }),
    rule('answer', 'claude_code', 'response', 'string', { event: TURN_EVENT, onlyPrefix: 'prompt.id' }),
  ],
  quirks: [{ scopes: ['com.anthropic.claude_code.tracing'], hasTurnsInLogs: true }],
  messageEvents: [{ event: TURN_EVENT, kind: 'turn' }],
};
