import type { Dialect } from './dialect.ts';

/** The Microsoft Agent Framework, whose workflows show nothing of what their agents say. */
export const MICROSOFT_AGENTS: Dialect = {
  name: 'agent_framework',
  source: 'microsoft/agent-framework, python/packages/core/agent_framework/observability.py',
  namedRun: { scope: 'agent_framework', name: 'workflow.run' },
  quirks: [{ scopes: ['agent_framework'], holdsTurns: 'branches' }],
};
