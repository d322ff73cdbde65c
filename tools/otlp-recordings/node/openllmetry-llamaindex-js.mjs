/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createScenarios } from './llamaindex-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { createRequire } from 'node:module';
import { LlamaIndexInstrumentation } from '@traceloop/instrumentation-llamaindex';

const require = createRequire(import.meta.url);
const llamaindex = require('llamaindex');
const openai = require('@llamaindex/openai');
const instrumentation = new LlamaIndexInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(llamaindex, openai);
// docs: end
await run(provider, createScenarios(llamaindex, openai, require('@llamaindex/workflow')));
