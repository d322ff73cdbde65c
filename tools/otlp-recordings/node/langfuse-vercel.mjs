import { createOpenAI } from '@ai-sdk/openai-6';
import * as ai from 'ai-6';
import { run } from './recorded.mjs';
import { createScenarios } from './vercel-calls.mjs';

process.env.LANGFUSE_PUBLIC_KEY = 'pk';
process.env.LANGFUSE_SECRET_KEY = 'sk';
process.env.LANGFUSE_BASE_URL = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/langfuse`;
// docs: begin
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { observe } from '@langfuse/tracing';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const langfuse = new LangfuseSpanProcessor();
const answers = new BatchSpanProcessor(new OTLPTraceExporter());
const provider = new NodeTracerProvider({ spanProcessors: [langfuse, answers] });
provider.register();
// docs: end
const openai = createOpenAI();
const scenarios = createScenarios(ai, openai.chat('fake-model'), openai.embedding('fake-embedding'));
const experimental_telemetry = { isEnabled: true, functionId: 'ask', metadata: { sessionId: '1', userId: '2' } };
const ask = observe(
  async (question) => {
    const given = { model: openai.chat('fake-model'), system: 'SECRET prompt', prompt: question };
    return (await ai.generateText({ ...given, experimental_telemetry })).text;
  },
  { name: 'ask' },
);

await run(provider, { ...scenarios, observed: () => ask('Q observed') });
await langfuse.shutdown();
