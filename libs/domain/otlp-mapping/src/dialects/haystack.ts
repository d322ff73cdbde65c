import { STRING } from '../item/python-literals.ts';
import { rule } from './content-rule.ts';
import type { Dialect } from './dialect.ts';

const SAID = String.raw`TextContent\(text=(${STRING})\)`;
const THOUGHT = String.raw`ReasoningContent\(reasoning_text=(?:${STRING}), extra=\{[^}]*\}\)`;

/** What it runs for somebody, and what it writes of that. */
const RUNS = [
  ['haystack.agent.input', 'haystack.agent.output'],
  ['haystack.pipeline.input_data', 'haystack.pipeline.output_data'],
] as const;

/** Haystack. */
export const HAYSTACK: Dialect = {
  name: 'haystack',
  source: 'deepset-ai/haystack, haystack/tracing',
  contents: [
    ...RUNS.map(([key]) => rule('question', 'haystack', key, 'state')),
    ...RUNS.map(([, key]) => rule('answer', 'haystack', key, 'state')),
  ],
  documents: [
    {
      convention: 'haystack',
      form: 'list',
      key: 'haystack.component.output',
      query: 'haystack.component.input',
      isLast: true,
      having: ['content'],
      hasFlatMetadata: true,
      id: ['id'],
      score: ['score'],
      content: ['content'],
      metadata: ['meta'],
    },
  ],
  prefixes: ['haystack.'],
  callPrefixes: ['haystack.agent.', 'haystack.pipeline.'],
  writes: {
    // `ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text=…`, in what a pipeline is shown as.
    printed: {
      begin: /^ChatMessage\(_role=<ChatRole\.\w+: '(\w+)'>, _content=\[/,
      part: new RegExp(`(?:${SAID}|${THOUGHT})(?:, )?`, 'sy'),
      call: 'ToolCall(',
    },
  },
};
