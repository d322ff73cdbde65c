/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import * as z from 'zod';
import { createScenarios } from './openai-agents-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import * as agents from '@openai/agents';
import OpenAI from 'openai';

new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
agents.setDefaultOpenAIClient(new OpenAI());
agents.setTracingDisabled(true);
// docs: end
await run(provider, createScenarios(agents, new OpenAI(), z));
