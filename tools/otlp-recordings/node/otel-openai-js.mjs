/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createRequire } from 'node:module';
import { createScenarios } from './openai-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// It takes versions of the client below 7, such as the one that TanStack AI brings.
const requireBelow7 = createRequire(`${import.meta.dirname}/node_modules/@tanstack/ai-openai/`);
// docs: begin
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';

const processor = new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() });
const loggerProvider = new LoggerProvider({ processors: [processor] });
const instrumentations = [new OpenAIInstrumentation({ captureMessageContent: true })];
registerInstrumentations({ instrumentations, loggerProvider, tracerProvider: provider });
// docs: end
const OpenAI = requireBelow7('openai');
const flush = () => Promise.all([provider.forceFlush(), loggerProvider.forceFlush()]);
await run({ forceFlush: flush }, createScenarios(new OpenAI()));
