import { createOpenAI } from '@ai-sdk/openai-6';
import * as ai from 'ai-6';
import { openProvider, run } from './recorded.mjs';
import { createScenarios } from './vercel-calls.mjs';

const provider = openProvider();
const openai = createOpenAI();
await run(provider, createScenarios(ai, openai.chat('fake-model'), openai.embedding('fake-embedding')));
