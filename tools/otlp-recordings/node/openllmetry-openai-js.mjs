/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createScenarios } from './openai-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai';
import OpenAI from 'openai';

const instrumentation = new OpenAIInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(OpenAI);
// docs: end
await run(provider, createScenarios(new OpenAI()));
