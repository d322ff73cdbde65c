import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { observe as observeAnthropic } from '../anthropic.ts';
import { AnswerEvidence, type EvidenceError, type Options } from '../index.ts';
import { observe } from '../openai.ts';
import { type FakeModel, openFakeModel, SPOKEN } from '../testing/fake-model.ts';
import { type FakeService, openFakeService, problem } from '../testing/fake-service.ts';

/** The vendors' own libraries. Their types are no part of this repository's type check. */
const load = async (name: string) => (await import(name)) as Record<string, any>;
const { OpenAI = Object } = await load('openai');
const { Anthropic = Object } = await load('@anthropic-ai/sdk');

let model: FakeModel;
let service: FakeService;
let evidence: AnswerEvidence;
let errors: EvidenceError[];
beforeAll(async () => {
  model = await openFakeModel();
});
afterAll(() => model.close());
beforeEach(async () => {
  service = await openFakeService();
  errors = [];
  evidence = open();
});
afterEach(async () => {
  await evidence.close(0);
  await service.close();
});

function open(options: Partial<Options> = {}): AnswerEvidence {
  const onError = (error: EvidenceError) => void errors.push(error);
  return new AnswerEvidence({ application: 'support-bot', url: service.url, token: 't', onError, ...options });
}

const openai = () => observe(new OpenAI({ apiKey: 'k', baseURL: model.url, maxRetries: 0 }), evidence);
const anthropic = () => observeAnthropic(new Anthropic({ apiKey: 'k', baseURL: model.url, maxRetries: 0 }), evidence);

const question = 'How long can I return a jacket?';
const asked = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: [{ type: 'text', text: question }] },
];
const spoken = [{ role: 'user', content: question }];
const chat = { model: 'gpt', messages: asked };
const respond = { model: 'gpt', input: asked };
const message = { model: 'claude', max_tokens: 9, messages: spoken };
const schema = { type: 'object', properties: { days: { type: 'number' } } };
const tool = { type: 'function', function: { name: 'find_policy', parameters: schema } };

/** What was recorded, when everything was sent. */
async function readRecords() {
  expect(await evidence.flush()).toBe(0);
  return [...service.records.values()];
}

async function readAll(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** What a plain client returns and what a watched one does, for the same call. */
async function compare(call: (client: any) => Promise<unknown>): Promise<void> {
  const plain = await call(new OpenAI({ apiKey: 'k', baseURL: model.url, maxRetries: 0 }));
  expect(JSON.stringify(await call(openai()))).toBe(JSON.stringify(plain));
}

describe('an observed OpenAI client', () => {
  it.each([
    ['a chat completion', (client: any) => client.chat.completions.create(chat)],
    [
      'a streamed chat completion',
      async (client: any) => readAll(await client.chat.completions.create({ ...chat, stream: true })),
    ],
    ['the chat stream helper', (client: any) => client.chat.completions.stream(chat).finalChatCompletion()],
    ['a response', (client: any) => client.responses.create(respond)],
    ['a response to one text', (client: any) => client.responses.create({ ...respond, input: question })],
    [
      'a streamed response',
      async (client: any) => readAll(await client.responses.create({ ...respond, stream: true })),
    ],
    ['the response stream helper', (client: any) => client.responses.stream(respond).finalResponse()],
    ['a client with options', (client: any) => client.withOptions({ timeout: 9_000 }).chat.completions.create(chat)],
    [
      'the response beside the raw one',
      async (client: any) => (await client.responses.create(respond).withResponse()).data,
    ],
  ])('returns %s as the plain one does, and records it once', async (_, call) => {
    await compare(call);
    const records = await readRecords();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ question: { text: question }, answer: { text: SPOKEN } });
    expect(records[0]?.semantic_refs?.[0]).toMatchObject({
      ref_type: 'model',
      request_model: 'gpt',
      response_model: 'gpt-2026',
    });
    expect(records[0]?.external_message_id).toMatch(/^(chatcmpl|resp)_?-?1$/);
    expect(errors).toEqual([]);
  });

  it.each([
    [
      'a parsed chat completion',
      (client: any) =>
        client.chat.completions.parse({
          ...chat,
          response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
        }),
    ],
    [
      'a parsed response',
      (client: any) =>
        client.responses.parse({ ...respond, text: { format: { type: 'json_schema', name: 'x', schema } } }),
    ],
  ])('records %s with the JSON that the model wrote', async (_, call) => {
    await compare(call);
    expect((await readRecords()).map(({ answer }) => answer.text)).toEqual(['{"days":30}']);
  });

  it('records the answer after the tools, which are named, and not the requests for tools', async () => {
    const client = openai();
    const run = client.chat.completions.runTools({
      ...chat,
      tools: [{ type: 'function', function: { ...tool.function, parse: JSON.parse, function: () => '30' } }],
    });
    expect(await run.finalContent()).toBe(SPOKEN);
    const first = await client.responses.create({ ...respond, tools: [{ type: 'function', ...tool.function }] });
    const output = { type: 'function_call_output', call_id: 'call_1', output: '30' };
    await client.responses.create({ ...respond, tools: [tool], input: [...asked, ...first.output, output] });
    const records = await readRecords();
    const named = expect.objectContaining({ ref_type: 'tool_call', step: 'requested', name: 'find_policy' });
    expect(records.map(({ answer, semantic_refs: refs }) => [answer.text, refs?.slice(1)])).toEqual([
      [SPOKEN, [named]],
      [SPOKEN, [named]],
    ]);
    expect(JSON.stringify(records)).not.toContain('returns');
  });

  it('records what came of a stream that was left', async () => {
    for await (const _ of await openai().chat.completions.create({ ...chat, stream: true })) break;
    expect((await readRecords()).map(({ answer }) => answer.text)).toEqual([SPOKEN.slice(0, 5)]);
  });

  it('leaves the raw response and both halves of a stream to the caller', async () => {
    const raw = await openai().chat.completions.create(chat).asResponse();
    expect((await raw.json()).choices[0].message.content).toBe(SPOKEN);
    const [left, right] = (await openai().chat.completions.create({ ...chat, stream: true })).tee();
    expect(await readAll(left)).toEqual(await readAll(right));
    expect(await readRecords()).toHaveLength(2);
  });

  it('passes errors on as they are', async () => {
    const broken = openai().chat.completions.create({ ...chat, model: 'broken' });
    await expect(broken).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    expect(await readRecords()).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('is watched once, however often it is observed', async () => {
    const client = openai();
    expect(observe(client, evidence)).toBe(client);
    await client.chat.completions.create(chat);
    expect(await readRecords()).toHaveLength(1);
  });

  it('answers while the service refuses everything, and says so', async () => {
    service.respond(problem(422, 'text_not_accepted'));
    expect((await openai().chat.completions.create(chat)).choices[0].message.content).toBe(SPOKEN);
    await evidence.flush();
    expect(errors).toEqual([expect.objectContaining({ code: 'text_not_accepted' })]);
  });

  it('answers when a version of the library returns what is not known', async () => {
    const unknown = { chat: { completions: { create: () => Promise.resolve({ choices: 'none' }) } } };
    expect(await observe(unknown, evidence).chat.completions.create()).toEqual({ choices: 'none' });
    expect(errors).toEqual([expect.objectContaining({ code: 'unexpected' })]);
  });

  it('holds the answer back where recording fails closed', async () => {
    evidence = open({ fail: 'closed' });
    service.respond(problem(403, 'scope_missing'));
    await expect(openai().chat.completions.create(chat)).rejects.toMatchObject({ code: 'scope_missing' });
    const stream = await openai().chat.completions.create({ ...chat, stream: true });
    await expect(readAll(stream)).rejects.toMatchObject({ code: 'scope_missing' });
  });

  it('binds what its request has found, also when the stream is read elsewhere', async () => {
    const client = openai();
    const scope = { idempotency_key: 'msg-1', question: 'jacket?' };
    const stream = await evidence.scope(scope, () => {
      evidence.addSources({ source_name: 'returns.md' });
      return client.chat.completions.create({ ...chat, stream: true });
    });
    await readAll(stream);
    expect((await readRecords())[0]).toMatchObject({
      idempotency_key: 'msg-1',
      question: { text: 'jacket?' },
      source_refs: [{ source_name: 'returns.md' }],
    });
  });
});

describe('an observed Anthropic client', () => {
  it.each([
    ['a message', (client: any) => client.messages.create(message)],
    ['a streamed message', async (client: any) => readAll(await client.messages.create({ ...message, stream: true }))],
    ['the stream helper', (client: any) => client.messages.stream(message).finalMessage()],
    ['a beta message', (client: any) => client.beta.messages.create(message)],
  ])('records %s once', async (_, call) => {
    await call(anthropic());
    const records = await readRecords();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      question: { text: question },
      answer: { text: SPOKEN },
      semantic_refs: [{ provider: 'anthropic', response_model: 'claude-2026', finish_reasons: ['end_turn'] }],
    });
  });

  it('records the answer after the tools, which are named', async () => {
    const tools = [{ name: 'find_policy', input_schema: schema }];
    const client = anthropic();
    const first = await client.messages.create({ ...message, tools });
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '30' }] };
    const turns = [...spoken, { role: 'assistant', content: first.content }, result];
    await client.messages.create({ ...message, tools, messages: turns });
    const records = await readRecords();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      question: { text: question },
      semantic_refs: [{}, { name: 'find_policy', arguments_hash: expect.stringMatching(/^sha256:/) }],
    });
  });
});
