import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const ASKED = 'qwen-code.user_prompt';
const ANSWERED = 'qwen-code.api_response';

/** Qwen Code, which logs a prompt, and each response of the model to it, without a trace. */
export const QWEN_CODE: Dialect = {
  name: 'qwen_code',
  source: 'QwenLM/qwen-code, packages/core/src/telemetry/loggers.ts',
  contents: [
    rule('question', 'qwen_code', 'prompt', 'string', { event: ASKED }),
    rule('answer', 'qwen_code', 'response_text', 'string', { event: ANSWERED }),
  ],
  messageEvents: [
    { event: ASKED, kind: 'other' },
    { event: ANSWERED, kind: 'turn' },
  ],
  threads: { scope: 'qwen-code', session: 'session.id', request: 'prompt_id' },
  // An answer is shown in the pieces of its stream.
  quirks: [{ scopes: ['qwen-code'], gathering: 'pieces' }],
  modelWords: [/qwen/i],
};
