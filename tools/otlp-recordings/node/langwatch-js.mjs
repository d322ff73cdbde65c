/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import OpenAI from 'openai';
import { HISTORY, openProvider, OUTPUT, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { getLangWatchTracer } from 'langwatch';

const tracer = getLangWatchTracer('support-bot');
// docs: end
const client = new OpenAI();
const ask = (question) =>
  tracer.withActiveSpan('ask', async (span) => {
    span.setType('agent').setInput(question);
    await tracer.withActiveSpan('shelf', (shelf) => {
      shelf
        .setType('rag')
        .setInput(question)
        .setRAGContexts([{ document_id: 'doc-1', chunk_id: '1', content: 'DOCUMENT SECRET' }]);
    });
    await tracer.withActiveSpan('lookup', (lookup) => {
      lookup.setType('tool').setInput({ word: 'SECRET argument' }).setOutput(OUTPUT);
    });
    const text = await tracer.withActiveSpan('call', async (call) => {
      const messages = [{ role: 'system', content: 'SECRET prompt' }, ...HISTORY, { role: 'user', content: question }];
      call.setType('llm').setRequestModel('fake-model').setInput('chat_messages', messages);
      const reply = await client.chat.completions.create({ model: 'fake-model', messages });
      call.setOutput('chat_messages', [reply.choices[0].message]);
      return reply.choices[0].message.content;
    });
    span.setOutput(text);
    return text;
  });
await run(provider, { conversation: () => ask('Q last') });
