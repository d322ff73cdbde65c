/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createRequire } from 'node:module';
import { createScenarios } from './openai-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
const require = createRequire(import.meta.url);
// docs: begin
import { TogetherInstrumentation } from '@traceloop/instrumentation-together';

const { Together } = require('together-ai');
const instrumentation = new TogetherInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(Together);
// docs: end
await run(provider, createScenarios(new Together({ apiKey: 'none', baseURL: process.env.OPENAI_BASE_URL })));
