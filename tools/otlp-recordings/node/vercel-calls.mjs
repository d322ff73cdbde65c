// Calls of Vercel's AI SDK, for its versions.
import * as z from 'zod';
import { HISTORY, OUTPUT } from './recorded.mjs';

export function createScenarios(ai, model) {
  // docs: begin
  const experimental_telemetry = { isEnabled: true };
  // docs: end
  const common = { model, experimental_telemetry };
  const system = { [ai.registerTelemetry === undefined ? 'system' : 'instructions']: 'SECRET prompt' };
  return {
    async conversation() {
      await ai.generateText({ ...common, ...system, messages: [...HISTORY, { role: 'user', content: 'Q last' }] });
    },
    async streamed() {
      await ai.streamText({ ...common, ...system, prompt: 'Q streamed' }).consumeStream();
    },
    async tool() {
      const lookup = ai.tool({
        description: 'Looks a word up.',
        inputSchema: z.object({ word: z.string() }),
        execute: () => Promise.resolve(OUTPUT),
      });
      const stopWhen = (ai.isStepCount ?? ai.stepCountIs)(3);
      await ai.generateText({ ...common, ...system, prompt: 'Q TOOL call', tools: { lookup }, stopWhen });
    },
  };
}
