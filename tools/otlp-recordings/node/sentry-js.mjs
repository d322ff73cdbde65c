/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createRequire } from 'node:module';
import { createScenarios } from './openai-calls.mjs';
import { run } from './recorded.mjs';

process.env.SENTRY_DSN = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT.replace('://', '://none@')}/1`;
// It takes versions of the client below 7, such as the one that TanStack AI brings.
const requireBelow7 = createRequire(`${import.meta.dirname}/node_modules/@tanstack/ai-openai/`);
// docs: begin
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-node';
import * as Sentry from '@sentry/node-10';

const answers = new BatchSpanProcessor(new OTLPTraceExporter());
Sentry.init({
  dsn: process.env.SENTRY_DSN,
  tracesSampleRate: 1,
  integrations: [Sentry.openAIIntegration({ recordInputs: true, recordOutputs: true })],
  openTelemetrySpanProcessors: [answers],
});
// docs: end
const OpenAI = requireBelow7('openai');
const observed = ([name, go]) => [name, () => Sentry.startSpan({ name: 'request' }, go)];
const scenarios = Object.entries(createScenarios(new OpenAI())).map(observed);
await run(answers, Object.fromEntries(scenarios));
