// Calls of Vercel's AI SDK, for its versions.
import * as z from 'zod';
import { HISTORY, OUTPUT } from './recorded.mjs';

export function createScenarios(ai, model, embedding) {
  // docs: begin
  const experimental_telemetry = { isEnabled: true };
  // docs: end
  const common = { model, experimental_telemetry };
  const system = { [ai.registerTelemetry === undefined ? 'system' : 'instructions']: 'SECRET prompt' };
  const lookup = ai.tool({
    description: 'Looks a word up.',
    inputSchema: z.object({ word: z.string() }),
    execute: () => Promise.resolve(OUTPUT),
  });
  const stopWhen = (ai.isStepCount ?? ai.stepCountIs)(3);
  const schema = z.object({ text: z.string(), stars: z.number() });
  return {
    async object_streamed() {
      const { partialObjectStream } = ai.streamObject({ ...common, ...system, schema, prompt: 'Q object' });
      for await (const _ of partialObjectStream);
    },
    async tool_streamed() {
      await ai.streamText({ ...common, ...system, prompt: 'Q TOOL call', tools: { lookup }, stopWhen }).consumeStream();
    },
    async agent() {
      const Agent = ai.ToolLoopAgent ?? ai.Experimental_Agent;
      const agent = new Agent({ ...common, ...system, tools: { lookup }, stopWhen });
      await agent.generate({ messages: [...HISTORY, { role: 'user', content: 'Q TOOL agent' }] });
    },
    async parts() {
      const image = { type: 'image', image: new URL('data:image/png;base64,iVBORw0KGgo=') };
      await ai.generateText({
        ...common,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Q parts' }, image] }],
      });
    },
    async object() {
      await ai.generateObject({ ...common, ...system, schema, prompt: 'Q object' });
    },
    async object_beside_tool() {
      const output = ai.Output.object({ schema });
      await ai.generateText({ ...common, ...system, output, prompt: 'Q TOOL object', tools: { lookup }, stopWhen });
    },
    async tools_in_parallel() {
      await ai.generateText({ ...common, ...system, prompt: 'Q PARALLEL SAYING call', tools: { lookup }, stopWhen });
    },
    async failed() {
      const given = { ...common, ...system, prompt: 'Q TOOL SAYING FAIL call', tools: { lookup }, stopWhen };
      await ai.generateText({ ...given, maxRetries: 0 }).catch(() => undefined);
    },
    async failed_streamed() {
      const given = { ...common, ...system, prompt: 'Q TOOL SAYING FAIL stream', tools: { lookup }, stopWhen };
      await ai.streamText({ ...given, maxRetries: 0, onError: () => undefined }).consumeStream();
    },
    async tool_failed() {
      const failing = ai.tool({
        description: 'Looks a word up.',
        inputSchema: z.object({ word: z.string() }),
        execute: () => Promise.reject(new Error('TOOL OUTPUT SECRET')),
      });
      await ai.generateText({ ...common, ...system, prompt: 'Q TOOL lost', tools: { lookup: failing }, stopWhen });
    },
    async retried() {
      await ai.generateText({ ...common, ...system, prompt: 'Q RETRY call' });
    },
    async embeddings_only() {
      const given = { experimental_telemetry, model: embedding, values: ['SECRET text', 'SECRET other'] };
      await ai.embedMany(given);
    },
    async left() {
      const controller = new AbortController();
      const given = { ...common, ...system, prompt: 'Q left', abortSignal: controller.signal };
      for await (const _ of ai.streamText({ ...given, onError: () => undefined }).textStream) controller.abort();
    },
    async conversation() {
      await ai.generateText({ ...common, ...system, messages: [...HISTORY, { role: 'user', content: 'Q last' }] });
    },
    async streamed() {
      await ai.streamText({ ...common, ...system, prompt: 'Q streamed' }).consumeStream();
    },
    async tool() {
      await ai.generateText({ ...common, ...system, prompt: 'Q TOOL call', tools: { lookup }, stopWhen });
    },
  };
}
