import type { Dialect } from './dialect.ts';
import { template } from './template.ts';

/** Strands Agents, which the conventions describe: its own are prompts. */
export const STRANDS: Dialect = {
  name: 'strands',
  source: 'strands-agents/sdk-python, strands/multiagent/graph.py',
  // What the next node of a graph is told.
  templates: [
    {
      ...template('Original Task: ', 'Original Task: ', '\n\nInputs from previous nodes:\n'),
      needs: '\n\nInputs from previous nodes:\n',
    },
  ],
};
