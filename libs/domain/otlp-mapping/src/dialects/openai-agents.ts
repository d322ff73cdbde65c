import { kindsOf } from './condition.ts';
import type { Dialect, Quirks } from './dialect.ts';
import { OPERATION } from './gen-ai.ts';

/** A trace of the SDK is shown as a run; an application may run several agents in it. */
export const OPENAI_AGENTS_TURNS = { holdsTurns: 'turns' } as const satisfies Quirks;

/** One that is part of another is a guardrail, or a tool, of it: to hand over, the SDK ends the first one. */
const nestedAgents = { stand: 'within', when: OPERATION('invoke_agent') } as const;

/** The OpenAI Agents SDK, as several instrumentations show it. */
export const OPENAI_AGENTS: Dialect = {
  name: 'openai_agents',
  source: 'openai/openai-agents-python, src/agents/tracing',
  quirks: [
    { scopes: ['opentelemetry.instrumentation.genai.openai_agents'], ...OPENAI_AGENTS_TURNS, nestedAgents },
    { scopes: ['weave.openai_agents'], ...OPENAI_AGENTS_TURNS, nestedAgents },
    { scopes: ['logfire.openai_agents'], ...OPENAI_AGENTS_TURNS },
    {
      scopes: ['opentelemetry.instrumentation.openai_agents'],
      ...OPENAI_AGENTS_TURNS,
      // OpenLLMetry shows an agent beside the one that it is a tool or a guardrail of.
      nestedAgents: { stand: 'beside', when: kindsOf('traceloop.span.kind')('agent') },
    },
  ],
};
