// docs: begin
import { Laminar } from '@lmnr-ai/lmnr';
import * as agents from '@openai/agents';
// docs: end
import OpenAI from 'openai';
import * as z from 'zod';
import { createScenarios } from './openai-agents-calls.mjs';
import { run } from './recorded.mjs';

const { hostname, port } = new URL(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
const [baseUrl, httpPort, projectApiKey] = [`http://${hostname}`, Number(port), 'none'];
// docs: begin
const instrumentModules = { openAIAgents: agents };
Laminar.initialize({ projectApiKey, baseUrl, httpPort, forceHttp: true, instrumentModules });
// docs: end
await run({ forceFlush: () => Laminar.flush() }, createScenarios(agents, new OpenAI(), z));
