/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { createScenarios } from './openai-calls.mjs';
import { OUTPUT, run } from './recorded.mjs';

process.env.TRACELOOP_API_KEY = 'none';
process.env.TRACELOOP_BASE_URL = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
// docs: begin
import * as traceloop from '@traceloop/node-server-sdk';
import OpenAI from 'openai';

traceloop.initialize({ appName: 'support-bot', instrumentModules: { openAI: OpenAI } });
// docs: end
const client = new OpenAI();
const lookup = (word) => traceloop.withTool({ name: 'lookup' }, () => OUTPUT, word);
const reply = async (question) => {
  await lookup('SECRET argument');
  const messages = [
    { role: 'system', content: 'SECRET prompt' },
    { role: 'user', content: question },
  ];
  return (await client.chat.completions.create({ model: 'fake-model', messages })).choices[0].message.content;
};
const scenarios = {
  ...createScenarios(client),
  workflow: () => traceloop.withWorkflow({ name: 'reply' }, reply, 'Q workflow'),
  agent: () => traceloop.withAgent({ name: 'reply' }, reply, 'Q agent'),
};
await run({ forceFlush: () => traceloop.forceFlush() }, scenarios);
