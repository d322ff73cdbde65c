// Calls of the Anthropic client, for the instrumentations of it.
import { HISTORY, LOOKUP, OUTPUT } from './recorded.mjs';

const common = { model: 'fake-model', max_tokens: 100, system: 'SECRET prompt' };

export function createScenarios(client) {
  return {
    async conversation() {
      await client.messages.create({ ...common, messages: [...HISTORY, { role: 'user', content: 'Q last' }] });
    },
    async streamed() {
      const given = { ...common, messages: [{ role: 'user', content: 'Q streamed' }], stream: true };
      await Array.fromAsync(await client.messages.create(given));
    },
    async thinking() {
      const messages = [{ role: 'user', content: 'Q THINK first' }];
      const thinking = { type: 'enabled', budget_tokens: 1024 };
      await client.messages.create({ ...common, max_tokens: 2048, messages, thinking });
    },
    async tool() {
      const tools = [{ name: LOOKUP.name, description: LOOKUP.description, input_schema: LOOKUP.parameters }];
      const messages = [{ role: 'user', content: 'Q TOOL call' }];
      const asked = await client.messages.create({ ...common, messages, tools });
      const result = { type: 'tool_result', tool_use_id: 'call-1', content: OUTPUT };
      messages.push({ role: 'assistant', content: asked.content }, { role: 'user', content: [result] });
      await client.messages.create({ ...common, messages, tools });
    },
  };
}
