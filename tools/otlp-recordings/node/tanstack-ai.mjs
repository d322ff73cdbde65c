/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createOpenaiChat } from '@tanstack/ai-openai';
import * as z from 'zod';
import { HISTORY, openProvider, OUTPUT, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { trace } from '@opentelemetry/api';
import { chat, toolDefinition } from '@tanstack/ai';
import { otelMiddleware } from '@tanstack/ai/middlewares/otel';

const middleware = [otelMiddleware({ tracer: trace.getTracer('support-bot'), captureContent: true })];
// docs: end
const adapter = createOpenaiChat('fake-model', 'none', { baseURL: process.env.OPENAI_BASE_URL });
const common = { adapter, systemPrompts: ['SECRET prompt'], middleware };
const lookup = toolDefinition({
  name: 'lookup',
  description: 'Looks a word up.',
  inputSchema: z.object({ word: z.string() }),
}).server(() => OUTPUT);
const asked = (content) => [{ role: 'user', content }];
await run(provider, {
  conversation: () => chat({ ...common, messages: [...HISTORY, ...asked('Q last')], stream: false }),
  async streamed() {
    for await (const _ of chat({ ...common, messages: asked('Q streamed') }));
  },
  tool: () => chat({ ...common, messages: asked('Q TOOL call'), tools: [lookup], stream: false }),
});
