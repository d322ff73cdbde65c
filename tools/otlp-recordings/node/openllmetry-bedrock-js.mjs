/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createScenarios } from './bedrock-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { createRequire } from 'node:module';
import { BedrockInstrumentation } from '@traceloop/instrumentation-bedrock';

const bedrock = createRequire(import.meta.url)('@aws-sdk/client-bedrock-runtime');
const instrumentation = new BedrockInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(bedrock);
// docs: end
await run(provider, createScenarios(bedrock));
