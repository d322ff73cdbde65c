/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { createScenarios } from './openai-calls.mjs';
import { run } from './recorded.mjs';

const require = createRequire(import.meta.url);
// docs: begin
import { Openlit } from 'openlit';

Openlit.init({ applicationName: 'support-bot', otlpEndpoint: process.env.OTEL_EXPORTER_OTLP_ENDPOINT });
// docs: end
const { OpenAI } = require('openai');
await run(trace.getTracerProvider().getDelegate(), createScenarios(new OpenAI()));
