/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { registerHooks } from 'node:module';
import { createOpenAI } from '@ai-sdk/openai-6';
import * as z from 'zod';
import { HISTORY, OUTPUT, run } from './recorded.mjs';

// It looks for version 6 of the SDK as `ai`.
registerHooks({ resolve: (name, context, next) => next(name === 'ai' ? 'ai-6' : name, context) });
// docs: begin
const { Agent, VoltAgentObservability, createTool } = await import('@voltagent/core');

import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const answers = new BatchSpanProcessor(new OTLPTraceExporter());
const observability = new VoltAgentObservability({ serviceName: 'support-bot', spanProcessors: [answers] });
// docs: end
const lookup = createTool({
  name: 'lookup',
  description: 'Looks a word up.',
  parameters: z.object({ word: z.string() }),
  execute: () => Promise.resolve(OUTPUT),
});
const model = createOpenAI().chat('fake-model');
const helper = new Agent({ name: 'helper', instructions: 'SECRET prompt', model, tools: [lookup], observability });
const scenarios = {
  agent: () => helper.generateText([...HISTORY, { role: 'user', content: 'Q TOOL agent' }]),
  agent_of_text: () => helper.generateText('Q agent'),
  async streamed() {
    const { textStream } = await helper.streamText('Q streamed');
    for await (const _ of textStream);
  },
};
await run({ forceFlush: () => observability.flush?.() ?? answers.forceFlush() }, scenarios);
await answers.forceFlush();
process.exit(0);
