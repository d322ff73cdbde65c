/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import * as z from 'zod';
import { openProvider, OUTPUT, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { Agent, tool } from '@strands-agents/sdk';

// Strands uses the provider that is registered.
// docs: end
const lookup = tool({
  name: 'lookup',
  description: 'Looks a word up.',
  inputSchema: z.object({ word: z.string() }),
  callback: () => OUTPUT,
});
const model = () =>
  new OpenAIModel({
    api: 'chat',
    modelId: 'fake-model',
    apiKey: 'none',
    clientConfig: { baseURL: process.env.OPENAI_BASE_URL },
  });
const helper = (options) =>
  new Agent({ name: 'helper', model: model(), systemPrompt: 'SECRET prompt', printer: false, ...options });
const scenarios = {
  async agent_with_memory() {
    const asked = helper({ tools: [lookup] });
    await asked.invoke('Q first');
    await asked.invoke('Q TOOL second');
  },
  async streamed() {
    for await (const _ of helper({ tools: [lookup] }).stream('Q streamed'));
  },
  tools_in_parallel: () => helper({ tools: [lookup] }).invoke('Q PARALLEL SAYING agent'),
  failed: () =>
    helper({ tools: [lookup] })
      .invoke('Q TOOL SAYING FAIL agent')
      .catch(() => undefined),
};
await run(provider, scenarios);
