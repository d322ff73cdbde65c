import { createOpenAI } from '@ai-sdk/openai-4';
import * as ai from 'ai-4';
import * as z from 'zod/v3';
import { HISTORY, openProvider, OUTPUT, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
const experimental_telemetry = { isEnabled: true };
// docs: end
const common = {
  model: createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, compatibility: 'compatible' }).chat('fake-model'),
  experimental_telemetry,
  system: 'SECRET prompt',
};
const lookup = ai.tool({
  description: 'Looks a word up.',
  parameters: z.object({ word: z.string() }),
  execute: () => Promise.resolve(OUTPUT),
});
const schema = z.object({ text: z.string(), stars: z.number() });
const scenarios = {
  conversation: () => ai.generateText({ ...common, messages: [...HISTORY, { role: 'user', content: 'Q last' }] }),
  streamed: () => ai.streamText({ ...common, prompt: 'Q streamed' }).consumeStream(),
  tool: () => ai.generateText({ ...common, prompt: 'Q TOOL call', tools: { lookup }, maxSteps: 3 }),
  tool_streamed: () =>
    ai.streamText({ ...common, prompt: 'Q TOOL call', tools: { lookup }, maxSteps: 3 }).consumeStream(),
  object: () => ai.generateObject({ ...common, schema, prompt: 'Q object' }),
};
await run(provider, scenarios);
