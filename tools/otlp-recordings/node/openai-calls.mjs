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
    async responses() {
      const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
      const content = [{ type: 'input_text', text: 'Q responses' }, image];
      const input = [{ ...SYSTEM, role: 'developer' }, ...HISTORY, { role: 'user', content }];
      await client.responses.create({ model, input });
    },
    async responses_streamed() {
      const given = { model, instructions: 'SECRET prompt', input: 'Q streamed response', stream: true };
      await Array.fromAsync(await client.responses.create(given));
    },
    async responses_with_tool() {
      const given = { model, instructions: 'SECRET prompt', tools: [{ type: 'function', ...LOOKUP }] };
      const input = [{ role: 'user', content: 'Q TOOL response' }];
      const asked = await client.responses.create({ ...given, input });
      input.push(...asked.output, { type: 'function_call_output', call_id: 'call-1', output: OUTPUT });
      await client.responses.create({ ...given, input });
    },
    async refused() {
      await client.chat.completions.create({ model, messages: [SYSTEM, { role: 'user', content: 'Q REFUSAL call' }] });
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
