/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createOpenAI } from '@ai-sdk/openai';
// docs: begin
import { ArizeExporter } from '@mastra/arize';
// docs: end
import { Agent } from '@mastra/core/agent';
// docs: begin
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
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
// docs: begin
const endpoint = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`;
const exporter = new ArizeExporter({ endpoint, apiKey: 'none', projectName: 'support-bot' });
const configs = { arize: { serviceName: 'support-bot', exporters: [exporter] } };
const observability = new Observability({ configs });
const mastra = new Mastra({ agents: { helper }, observability, logger: false });
// docs: end
const agent = mastra.getAgent('helper');
const scenarios = {
  agent: () => agent.generate([...HISTORY, { role: 'user', content: 'Q TOOL agent' }]),
  async streamed() {
    const { textStream } = await agent.stream('Q streamed');
    await Array.fromAsync(textStream);
  },
};
await run({ forceFlush: () => observability.shutdown() }, scenarios);
