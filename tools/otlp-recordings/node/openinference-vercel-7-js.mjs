/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { run } from './recorded.mjs';
import { createScenarios } from './vercel-calls.mjs';

const openai = createOpenAI();
// docs: begin
import { OpenTelemetry } from '@ai-sdk/otel';
import { OpenInferenceBatchSpanProcessor } from '@arizeai/openinference-vercel-3';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const processor = new OpenInferenceBatchSpanProcessor({ exporter: new OTLPTraceExporter() });
const provider = new NodeTracerProvider({ spanProcessors: [processor] });
provider.register();
ai.registerTelemetry(new OpenTelemetry());
// docs: end
await run(provider, createScenarios(ai, openai.chat('fake-model'), openai.embedding('fake-embedding')));
