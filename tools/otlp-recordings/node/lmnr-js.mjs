/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createOpenAI } from '@ai-sdk/openai-6';
import * as ai from 'ai-6';
import { createScenarios } from './openai-calls.mjs';
import { OUTPUT, run } from './recorded.mjs';

const { hostname, port } = new URL(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
const [baseUrl, httpPort, projectApiKey] = [`http://${hostname}`, Number(port), 'none'];
// docs: begin
import { getTracer, Laminar, observe } from '@lmnr-ai/lmnr';
import OpenAI from 'openai';

Laminar.initialize({ projectApiKey, baseUrl, httpPort, forceHttp: true, instrumentModules: { OpenAI } });
// docs: end
const model = createOpenAI().chat('fake-model');
const experimental_telemetry = { isEnabled: true, tracer: getTracer() };
const ask = (question) =>
  observe(
    { name: 'ask' },
    async (given) => {
      await observe({ name: 'lookup', spanType: 'TOOL' }, () => OUTPUT, 'SECRET argument');
      return (await ai.generateText({ model, system: 'SECRET prompt', prompt: given, experimental_telemetry })).text;
    },
    question,
  );
await run(
  { forceFlush: () => Laminar.flush() },
  { ...createScenarios(new OpenAI()), observed: () => ask('Q observed') },
);
