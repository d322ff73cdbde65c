// Calls of the OpenAI client, for the instrumentations of it.
import { HISTORY, LOOKUP, OUTPUT } from './recorded.mjs';

const SYSTEM = { role: 'system', content: 'SECRET prompt' };
const model = 'fake-model';

export function createScenarios(client) {
  return {
    async conversation() {
      await client.chat.completions.create({
        model,
        messages: [SYSTEM, ...HISTORY, { role: 'user', content: 'Q last' }],
      });
    },
    async streamed() {
      const messages = [SYSTEM, { role: 'user', content: 'Q streamed' }];
      const chunks = await client.chat.completions.create({ model, messages, stream: true });
      // Some instrumentations give back what can be iterated, and nothing more.
      await Array.fromAsync(chunks);
    },
    async tool() {
      const messages = [SYSTEM, { role: 'user', content: 'Q TOOL call' }];
      const tools = [{ type: 'function', function: LOOKUP }];
      const asked = await client.chat.completions.create({ model, messages, tools });
      messages.push(asked.choices[0].message, { role: 'tool', tool_call_id: 'call-1', content: OUTPUT });
      await client.chat.completions.create({ model, messages, tools });
    },
  };
}
