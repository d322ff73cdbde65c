import { createOpenAI } from '@ai-sdk/openai-6';
import * as ai from 'ai-6';
import { openProvider, run } from './recorded.mjs';
import { createScenarios } from './vercel-calls.mjs';

const provider = openProvider();
await run(provider, createScenarios(ai, createOpenAI().chat('fake-model')));
