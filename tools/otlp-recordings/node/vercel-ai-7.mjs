import { createOpenAI } from '@ai-sdk/openai';
// docs: begin
import { OpenTelemetry } from '@ai-sdk/otel';
import * as ai from 'ai';
// docs: end
import { openProvider, run } from './recorded.mjs';
import { createScenarios } from './vercel-calls.mjs';

const provider = openProvider();
// docs: begin
ai.registerTelemetry(new OpenTelemetry());
// docs: end
const openai = createOpenAI();
await run(provider, createScenarios(ai, openai.chat('fake-model'), openai.embedding('fake-embedding')));
