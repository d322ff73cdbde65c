/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { registerConfigureHook, setContextVariable } from '@langchain/core/context';
import { SCENARIOS } from './langchain-calls.mjs';
import { run } from './recorded.mjs';

process.env.SENTRY_DSN = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT.replace('://', '://none@')}/1`;
// docs: begin
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-node';
import * as Sentry from '@sentry/node-10';

const answers = new BatchSpanProcessor(new OTLPTraceExporter());
Sentry.init({ dsn: process.env.SENTRY_DSN, tracesSampleRate: 1, openTelemetrySpanProcessors: [answers] });
const handler = Sentry.createLangChainCallbackHandler({ recordInputs: true, recordOutputs: true });
// docs: end
// As if each call were given it, in its config.
setContextVariable('handler', handler);
registerConfigureHook({ contextVar: 'handler', inheritable: true });
await run({ forceFlush: () => awaitAllCallbacks().then(() => answers.forceFlush()) }, SCENARIOS);
process.exit(0);
