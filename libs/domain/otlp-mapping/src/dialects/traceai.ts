import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

/** What traceAI tells of a conversation with an agent of Claude. */
const claudeAgent = { onlyPrefix: 'claude_agent.span_kind' };

/**
 * traceAI, as far as its names are its own. Its kinds, messages and tools are OpenInference's under other names, and
 * stand there.
 */
export const TRACEAI: Dialect = {
  name: 'traceai',
  source: 'future-agi/traceAI, python/fi_instrumentation',
  contents: [
    rule('question', 'traceai', 'claude_agent.prompt', 'string', claudeAgent),
    rule('answer', 'traceai', 'output', 'state', claudeAgent),
  ],
  prefixes: ['fi.'],
};
