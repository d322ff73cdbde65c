// Agents of the OpenAI Agents SDK, for the instrumentations of it.
import { OUTPUT } from './recorded.mjs';

export function createScenarios({ Agent, run, tool, OpenAIChatCompletionsModel }, client, z) {
  const lookup = tool({
    name: 'lookup',
    description: 'Looks a word up.',
    parameters: z.object({ word: z.string() }),
    execute: () => OUTPUT,
  });
  const helper = (options) => {
    return new Agent({
      name: 'helper',
      instructions: 'SECRET prompt',
      model: 'fake-model',
      tools: [lookup],
      ...options,
    });
  };
  const history = [
    { role: 'user', content: 'Q first' },
    { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'A first' }] },
  ];
  return {
    single: () => run(helper(), 'Q single'),
    agent: () => run(helper(), [...history, { role: 'user', content: 'Q TOOL agent' }]),
    chat: () => {
      const model = new OpenAIChatCompletionsModel(client, 'fake-model');
      return run(helper({ model }), [...history, { role: 'user', content: 'Q TOOL chat' }]);
    },
    async streamed() {
      const result = await run(helper(), 'Q TOOL streamed', { stream: true });
      await Array.fromAsync(result.toStream());
      await result.completed;
    },
    handed_over() {
      const other = new Agent({ name: 'other', instructions: 'SECRET other', model: 'fake-model' });
      return run(helper({ handoffs: [other] }), 'Q HANDOFF agent');
    },
  };
}
