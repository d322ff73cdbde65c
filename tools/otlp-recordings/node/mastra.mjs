/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
// docs: begin
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
// docs: end
import { createStep, createWorkflow } from '@mastra/core/workflows';
// docs: begin
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
// docs: end
import * as z from 'zod';
import { HISTORY, OUTPUT, run } from './recorded.mjs';

const lookup = createTool({
  id: 'lookup',
  description: 'Looks a word up.',
  inputSchema: z.object({ word: z.string() }),
  execute: () => Promise.resolve({ result: OUTPUT }),
});
const model = createOpenAI().chat('fake-model');
const helper = new Agent({ id: 'helper', name: 'helper', instructions: 'SECRET prompt', model, tools: { lookup } });
const inputSchema = z.object({ question: z.string() });
const outputSchema = z.object({ answer: z.string() });
const write = createStep({
  ...{ id: 'write', inputSchema, outputSchema },
  async execute({ inputData, mastra: app, tracingContext }) {
    return { answer: (await app.getAgent('helper').generate(inputData.question, { tracingContext })).text };
  },
});
const review = createStep({
  ...{ id: 'review', inputSchema: outputSchema, outputSchema, resumeSchema: z.object({ ok: z.boolean() }) },
  execute: ({ inputData, resumeData, suspend }) => (resumeData?.ok ? inputData : suspend({})),
});
const reply = createWorkflow({ id: 'reply', inputSchema, outputSchema }).then(write).then(review).commit();
// docs: begin
const endpoint = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`;
const exporter = new OtelExporter({ provider: { custom: { endpoint, protocol: 'http/protobuf' } } });
const configs = { otel: { serviceName: 'support-bot', exporters: [exporter] } };
const observability = new Observability({ configs });
const mastra = new Mastra({ agents: { helper }, workflows: { reply }, observability, logger: false });
// docs: end
const agent = mastra.getAgent('helper');
const scenarios = {
  agent: () => agent.generate([...HISTORY, { role: 'user', content: 'Q TOOL agent' }]),
  async workflow_suspended() {
    const run = await mastra.getWorkflow('reply').createRun();
    await run.start({ inputData: { question: 'Q suspended' } });
  },
  async streamed() {
    const { textStream } = await agent.stream('Q streamed');
    await Array.fromAsync(textStream);
  },
};
await run({ forceFlush: () => observability.shutdown() }, scenarios);
