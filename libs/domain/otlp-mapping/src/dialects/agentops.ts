import { kindsOf } from './condition.ts';
import type { Dialect } from './dialect.ts';

const KIND = kindsOf('agentops.span.kind');

/** AgentOps, whose texts stand under names of others. */
export const AGENTOPS: Dialect = {
  name: 'agentops',
  source: 'AgentOps-AI/agentops, agentops/semconv',
  asides: [KIND('tool')],
  tools: [{ convention: 'agentops', when: KIND('tool'), name: ['operation.name'], args: ['agentops.tool.input'] }],
  // Results of tools.
  feedback: [/^\[Tool Result: [^]*\]\s*$/],
};
