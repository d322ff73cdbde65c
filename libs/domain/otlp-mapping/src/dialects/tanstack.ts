import type { Dialect } from './dialect.ts';

/** TanStack AI, whose runs of tools name no operation. */
export const TANSTACK: Dialect = {
  name: 'tanstack',
  source: 'TanStack/ai',
  tools: [
    {
      convention: 'gen_ai',
      when: { key: 'tanstack.ai.tool.outcome', values: ['success', 'error'] },
      name: ['gen_ai.tool.name'],
      args: [],
    },
  ],
};
