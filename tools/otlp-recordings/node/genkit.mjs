/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { openAI } from '@genkit-ai/compat-oai/openai';
import { genkit, z } from 'genkit';
import { OUTPUT, run } from './recorded.mjs';

// Elsewhere Genkit sends each span by itself, to a user interface of its own.
process.env.GENKIT_ENV = 'prod';
// docs: begin
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto-0';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base-1';
import { enableTelemetry } from 'genkit/tracing';

const answers = new BatchSpanProcessor(new OTLPTraceExporter());
await enableTelemetry({ spanProcessors: [answers] });
// docs: end
const ai = genkit({ plugins: [openAI({ apiKey: 'none', baseURL: process.env.OPENAI_BASE_URL })] });
const common = { model: openAI.model('gpt-4o'), system: 'SECRET prompt' };
const inputSchema = z.object({ word: z.string() });
const tool = { name: 'lookup', description: 'Looks a word up.', inputSchema, outputSchema: z.string() };
const lookup = ai.defineTool(tool, () => Promise.resolve(OUTPUT));
const shelf = ai.defineRetriever({ name: 'shelf' }, () => {
  const documents = [{ content: [{ text: 'DOCUMENT SECRET' }], metadata: { source: 'returns.md', score: 0.5 } }];
  return Promise.resolve({ documents });
});
const ask = ai.defineFlow({ name: 'ask', inputSchema: z.string(), outputSchema: z.string() }, async (question) => {
  const docs = await ai.retrieve({ retriever: shelf, query: question });
  return (await ai.generate({ ...common, prompt: question, docs })).text;
});
const menu = ai.defineFlow({ name: 'menu', inputSchema: z.object({ theme: z.string() }) }, async ({ theme }) => {
  const output = { schema: z.object({ title: z.string() }) };
  return (await ai.generate({ ...common, prompt: theme, output })).output;
});

const scenarios = {
  conversation() {
    const said = [
      { role: 'user', content: [{ text: 'Q first' }] },
      { role: 'model', content: [{ text: 'A first' }] },
    ];
    return ai.generate({ ...common, messages: said, prompt: 'Q last' });
  },
  retrieval: () => ask('Q retrieval'),
  structured: () => menu({ theme: 'Q structured' }),
  async streamed() {
    const { stream, response } = ai.generateStream({ ...common, prompt: 'Q streamed' });
    await Array.fromAsync(stream);
    await response;
  },
  tool: () => ai.generate({ ...common, prompt: 'Q TOOL call', tools: [lookup] }),
};
await run(answers, scenarios);
process.exit(0);
