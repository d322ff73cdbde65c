import { kindsOf } from './condition.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';
import { NO_GEN_AI_ANSWERS } from './gen-ai.ts';

const TEMPLATE = kindsOf('logfire.msg_template');
const unless = [NO_GEN_AI_ANSWERS];
/** The names of these attributes alone could be anybody's. */
const ofGenAi = { unless, onlyPrefix: 'gen_ai.' };
/** What it tells of agents of the OpenAI Agents SDK that use OpenAI's interface for chats. */
const ofChats = { unless, onlyPrefix: 'request_data' };

/** Logfire. It tells the kinds of spans of the OpenAI Agents SDK by nothing but a template. */
export const LOGFIRE: Dialect = {
  name: 'logfire',
  source: 'pydantic/logfire, logfire/_internal/integrations',
  contents: [
    rule('question', 'logfire', 'events', 'state', ofGenAi),
    rule('question', 'logfire', 'input', 'state', ofChats),
    rule('answer', 'logfire', 'events', 'state', ofGenAi),
    rule('answer', 'logfire', 'output', 'state', ofChats),
  ],
  checks: [TEMPLATE('Guardrail {name!r} {triggered=}')],
  runs: [TEMPLATE('OpenAI Agents trace: {name}')],
  modelCalls: [TEMPLATE('Chat completion with {gen_ai.request.model!r}')],
  leftOut: [/^\[Scrubbed due to '[^']*'\]$/],
};
