/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createScenarios } from './openai-calls.mjs';
import { OUTPUT, run } from './recorded.mjs';

process.env.LANGSMITH_TRACING = 'true';
process.env.LANGSMITH_API_KEY = 'none';
process.env.LANGSMITH_ENDPOINT = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/langsmith`;
// docs: begin
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Client } from 'langsmith';
import { initializeOTEL } from 'langsmith/experimental/otel/setup';
import { traceable } from 'langsmith/traceable';
import { wrapOpenAI } from 'langsmith/wrappers';
import OpenAI from 'openai';

process.env.LANGSMITH_TRACING_MODE = 'otel';
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register();
initializeOTEL({ globalTracerProvider: provider, skipGlobalContextManagerSetup: true });
const langsmith = new Client();
const client = wrapOpenAI(new OpenAI(), { client: langsmith });
// docs: end
const lookup = traceable(() => OUTPUT, { name: 'lookup', run_type: 'tool', client: langsmith });
const ask = traceable(
  async (question) => {
    await lookup('SECRET argument');
    const messages = [
      { role: 'system', content: 'SECRET prompt' },
      { role: 'user', content: question },
    ];
    return (await client.chat.completions.create({ model: 'fake-model', messages })).choices[0].message.content;
  },
  { name: 'ask', client: langsmith },
);
// It makes spans of runs in the background.
const forceFlush = () => langsmith.awaitPendingTraceBatches().then(() => provider.forceFlush());
await run({ forceFlush }, { ...createScenarios(client), traced: () => ask('Q traced') });
