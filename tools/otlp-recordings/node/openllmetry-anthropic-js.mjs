/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createScenarios } from './anthropic-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import * as anthropic from '@anthropic-ai/sdk-0';
import { AnthropicInstrumentation } from '@traceloop/instrumentation-anthropic';

const instrumentation = new AnthropicInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(anthropic);
// docs: end
await run(provider, createScenarios(new anthropic.Anthropic()));
