/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createOpenAI } from '@ai-sdk/openai';
import { openProvider, run } from './recorded.mjs';
import { createScenarios } from './vercel-calls.mjs';
// docs: begin
import { OpenTelemetry } from '@ai-sdk/otel';
import * as ai from 'ai';

ai.registerTelemetry(new OpenTelemetry());
// docs: end
const provider = openProvider();
await run(provider, createScenarios(ai, createOpenAI().chat('fake-model')));
