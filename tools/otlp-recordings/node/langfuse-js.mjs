/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { observeOpenAI } from '@langfuse/openai';
import { observe, updateActiveObservation } from '@langfuse/tracing';
import OpenAI from 'openai';
import { createScenarios } from './openai-calls.mjs';
import { OUTPUT, run } from './recorded.mjs';

process.env.LANGFUSE_PUBLIC_KEY = 'pk';
process.env.LANGFUSE_SECRET_KEY = 'sk';
process.env.LANGFUSE_BASE_URL = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/langfuse`;
// docs: begin
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const langfuse = new LangfuseSpanProcessor();
const answers = new BatchSpanProcessor(new OTLPTraceExporter());
const provider = new NodeTracerProvider({ spanProcessors: [langfuse, answers] });
provider.register();
// docs: end
const client = observeOpenAI(new OpenAI());
const scenarios = createScenarios(client);

const shelf = observe(
  async () => [{ id: 'doc-1', content: 'DOCUMENT SECRET', score: 0.5, metadata: { source: 'returns.md' } }],
  { name: 'shelf', asType: 'retriever' },
);
const lookup = observe(async () => OUTPUT, { name: 'lookup', asType: 'tool' });
const ask = observe(
  async (question) => {
    await shelf(question);
    await lookup({ word: 'SECRET argument' });
    const messages = [
      { role: 'system', content: 'SECRET prompt' },
      { role: 'user', content: question },
    ];
    const reply = await client.chat.completions.create({ model: 'fake-model', messages });
    updateActiveObservation({ metadata: { step: 'done' } });
    return reply.choices[0].message.content;
  },
  { name: 'ask' },
);

await run(provider, { ...scenarios, observed: () => ask('Q observed') });
await langfuse.shutdown();
