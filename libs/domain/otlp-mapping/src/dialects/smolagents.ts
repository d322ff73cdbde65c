import type { Dialect } from './dialect.ts';
import { rewriting, template } from './template.ts';

/** smolagents, which other conventions describe: its own are prompts. */
export const SMOLAGENTS: Dialect = {
  name: 'smolagents',
  source: 'huggingface/smolagents, smolagents/memory.py',
  templates: [
    template('New task:\n', 'New task:\n', '\nYou have been provided with these additional arguments'),
    // What an agent is told by the agent that manages it, which alone answers somebody.
    {
      ...rewriting(
        "You're a helpful agent named '",
        '\nTask:\n',
        "\n---\nYou're helping your manager solve a wider task",
      ),
      needs: 'submitted this task by your manager',
    },
  ],
  // Of agents that write code.
  code: { begin: '<code>', call: 'final_answer(' },
  writes: { box: '_value' },
  modelWords: [/smolagents/i],
};
