/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { registerConfigureHook, setContextVariable } from '@langchain/core/context';
import { SCENARIOS } from './langchain-calls.mjs';
import { run } from './recorded.mjs';

process.env.LANGFUSE_PUBLIC_KEY = 'pk';
process.env.LANGFUSE_SECRET_KEY = 'sk';
process.env.LANGFUSE_BASE_URL = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/langfuse`;
// docs: begin
import { CallbackHandler } from '@langfuse/langchain';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const langfuse = new LangfuseSpanProcessor();
const answers = new BatchSpanProcessor(new OTLPTraceExporter());
const provider = new NodeTracerProvider({ spanProcessors: [langfuse, answers] });
provider.register();
const handler = new CallbackHandler();
// docs: end
// As if each call were given it, in its config.
setContextVariable('handler', handler);
registerConfigureHook({ contextVar: 'handler', inheritable: true });
const forceFlush = () => awaitAllCallbacks().then(() => provider.forceFlush());
await run({ forceFlush }, SCENARIOS);
await langfuse.shutdown();
