import type { Dialect } from './dialect.ts';

/** DSPy, which other conventions describe: its own are the fields of its prompts. */
export const DSPY: Dialect = {
  name: 'dspy',
  source: 'stanfordnlp/dspy, dspy/adapters',
  fields: {
    begin: '[[ ## ',
    mark: /^\[\[ ## (\w+) ## \]\]$/m,
    instruction: /\n\nRespond with (?:the corresponding output fields|a JSON object in the following order of fields)/,
    jsonInstruction: /\n\nRespond with a JSON object in the following order of fields/,
    thoughts: ['reasoning', 'rationale', 'completed', 'trajectory'],
  },
  modelWords: [/(?:^|[^a-z])dspy(?![a-z])/i],
};
