/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createRequire } from 'node:module';
import { context } from '@opentelemetry/api';
import { HISTORY, LOOKUP, openProvider, OUTPUT, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { createAzureSdkInstrumentation } from '@azure/opentelemetry-instrumentation-azure-sdk';
import { registerInstrumentations } from '@opentelemetry/instrumentation';

process.env.AZURE_TRACING_GEN_AI_CONTENT_RECORDING_ENABLED = 'true';
registerInstrumentations({ instrumentations: [createAzureSdkInstrumentation()] });
// docs: end
const require = createRequire(import.meta.url);
const { AzureKeyCredential } = require('@azure/core-auth');
const { default: createClient } = require('@azure-rest/ai-inference');
const credential = new AzureKeyCredential('none');
const client = createClient(process.env.OPENAI_BASE_URL, credential, { allowInsecureConnection: true });
const SYSTEM = { role: 'system', content: 'SECRET prompt' };
const complete = (body) => {
  const tracingOptions = { tracingContext: context.active() };
  return client.path('/chat/completions').post({ body: { model: 'fake-model', ...body }, tracingOptions });
};
await run(provider, {
  conversation: () => complete({ messages: [SYSTEM, ...HISTORY, { role: 'user', content: 'Q last' }] }),
  async tool() {
    const messages = [SYSTEM, { role: 'user', content: 'Q TOOL call' }];
    const tools = [{ type: 'function', function: LOOKUP }];
    const asked = await complete({ messages, tools });
    messages.push(asked.body.choices[0].message, { role: 'tool', tool_call_id: 'call-1', content: OUTPUT });
    await complete({ messages, tools });
  },
});
