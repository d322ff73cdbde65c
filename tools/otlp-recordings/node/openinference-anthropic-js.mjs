/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createScenarios } from './anthropic-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import Anthropic from '@anthropic-ai/sdk';
import { AnthropicInstrumentation } from '@arizeai/openinference-instrumentation-anthropic';

const instrumentation = new AnthropicInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(Anthropic);
// docs: end
await run(provider, createScenarios(new Anthropic()));
