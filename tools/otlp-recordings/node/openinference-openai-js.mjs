/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createScenarios } from './openai-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import OpenAI from 'openai';

new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
// docs: end
await run(provider, createScenarios(new OpenAI()));
