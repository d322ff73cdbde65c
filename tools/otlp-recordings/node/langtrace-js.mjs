/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
// docs: begin
import * as Langtrace from '@langtrase/typescript-sdk';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto-0';
import OpenAI from 'openai';

Langtrace.init({ custom_remote_exporter: new OTLPTraceExporter(), batch: false, instrumentations: { openai: OpenAI } });
// docs: end
import { trace } from '@opentelemetry/api';
import { createScenarios } from './openai-calls.mjs';
import { run } from './recorded.mjs';

await run(trace.getTracerProvider().getDelegate(), createScenarios(new OpenAI()));
