import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { evidenceTelemetry } from '../ai.ts';
import { observe as observeAnthropic } from '../anthropic.ts';
import { AnswerEvidence, type EvidenceError } from '../index.ts';
import { evidenceCallbacks } from '../langchain.ts';
import { observe } from '../openai.ts';
import { type FakeModel, openFakeModel, SPOKEN } from '../testing/fake-model.ts';
import { type FakeService, openFakeService } from '../testing/fake-service.ts';

/** The vendors' own libraries. Their types are no part of this repository's type check. */
const load = async (name: string) => (await import(name)) as Record<string, any>;
const { OpenAI = Object } = await load('openai');
const { Anthropic = Object } = await load('@anthropic-ai/sdk');
const ai = await load('ai');
const { MockLanguageModelV4: MockModel = Object } = await load('ai/test');
const { FakeListChatModel = Object } = await load('@langchain/core/utils/testing');

const HALF = SPOKEN.slice(0, 5);

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

function open(): AnswerEvidence {
  const onError = (error: EvidenceError) => void errors.push(error);
  return new AnswerEvidence({ application: 'support-bot', url: service.url, token: 't', onError });
}

const options = () => ({ apiKey: 'k', baseURL: model.url, maxRetries: 0 });
const messages = [{ role: 'user', content: 'q' }];

/** Opens a stream of each interface, by the name of the model. */
const STREAMS: Readonly<Record<string, (name: string, signal?: AbortSignal) => Promise<any>>> = {
  'chat completions': (name, signal) =>
    observe(new OpenAI(options()), evidence).chat.completions.create(
      { model: name, messages, stream: true },
      { signal },
    ),
  responses: (name, signal) =>
    observe(new OpenAI(options()), evidence).responses.create({ model: name, input: 'q', stream: true }, { signal }),
  messages: (name, signal) =>
    observeAnthropic(new Anthropic(options()), evidence).messages.create(
      { model: name, max_tokens: 9, messages, stream: true },
      { signal },
    ),
};
const KINDS = Object.keys(STREAMS);

/** Whether an event of any interface brings text. */
const hasText = (event: unknown) => JSON.stringify(event).includes(`"${HALF}"`);

async function readToEnd(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** What is recorded: the text, and what says that it is a part. */
async function readRecords() {
  expect(await evidence.flush()).toBe(0);
  expect(errors).toEqual([]);
  return [...service.records.values()].map(({ answer, semantic_refs: refs = [] }) => {
    const reasons = refs.flatMap((ref) => ref['finish_reasons'] ?? []);
    return { text: answer.text, reasons: reasons.length, part: refs.find((ref) => ref['ref_type'] === 'stream') };
  });
}
const partBy = (ended_by: 'caller' | 'error') => [
  { text: HALF, reasons: 0, part: { ref_type: 'stream', state: 'partial', ended_by } },
];

describe.each(KINDS)('a stream of %s', (kind) => {
  const start = async (name: string, signal?: AbortSignal) => STREAMS[kind]?.(name, signal);

  it('that was read to its end is no part', async () => {
    await readToEnd(await start('gpt'));
    expect(await readRecords()).toEqual([{ text: SPOKEN, reasons: 1, part: undefined }]);
  });

  it('that was left by break is a part', async () => {
    for await (const event of await start('gpt')) if (hasText(event)) break;
    expect(await readRecords()).toEqual(partBy('caller'));
  });

  it('that was cancelled by a signal, or by its controller, is a part', async () => {
    const giveUp = new AbortController();
    const stream = await start('stuck', giveUp.signal);
    const read = (async () => {
      for await (const event of stream) if (hasText(event)) giveUp.abort();
    })();
    await read.catch(() => undefined);
    expect(await readRecords()).toEqual(partBy('caller'));
  });

  it('whose reader throws is a part', async () => {
    const read = async () => {
      for await (const event of await start('gpt')) if (hasText(event)) throw new Error('the browser has gone');
    };
    await expect(read()).rejects.toThrow('the browser has gone');
    expect(await readRecords()).toEqual(partBy('caller'));
  });

  it.each([
    ['loses its connection', 'cut'],
    ['brings an error', 'faulty'],
  ])('that %s throws as it did, and is a part', async (_, name) => {
    await readToEnd(await start(name)).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
    expect(await readRecords()).toEqual(partBy('error'));
  });

  it('that ends before the model has is a part', async () => {
    await readToEnd(await start('short')).catch(() => undefined);
    expect(await readRecords()).toEqual(partBy('error'));
  });
});

describe('a raw response', () => {
  const create = (name: string, stream: boolean) =>
    observe(new OpenAI(options()), evidence).chat.completions.create({ model: name, messages, stream });

  it('is recorded when it was read, once, and is what it was', async () => {
    const response: Response = await create('gpt', false).asResponse();
    expect(response).toBeInstanceOf(Response);
    expect([response.url, response.status]).toEqual([`${model.url}/chat/completions`, 200]);
    const whole: any = await response.json();
    expect(whole.choices[0].message.content).toBe(SPOKEN);
    expect(await readRecords()).toEqual([{ text: SPOKEN, reasons: 1, part: undefined }]);
  });

  it('is recorded with its events, or as a part of them', async () => {
    const whole: Response = await create('gpt', true).asResponse();
    expect(await whole.text()).toContain('[DONE]');
    const left: Response = await create('stuck', true).asResponse();
    const reader = left.body?.getReader();
    while (!new TextDecoder().decode((await reader?.read())?.value).includes(HALF));
    await reader?.cancel();
    expect(await readRecords()).toEqual([{ text: SPOKEN, reasons: 1, part: undefined }, ...partBy('caller')]);
  });

  it('beside the parsed one is not recorded again', async () => {
    const { data, response } = await create('gpt', false).withResponse();
    expect([data.choices[0].message.content, response.status]).toEqual([SPOKEN, 200]);
    expect(await readRecords()).toHaveLength(1);
  });
});

describe('a client that is observed again', () => {
  const ask = (client: any) => client.chat.completions.create({ model: 'gpt', messages });

  it('is recorded once, by the evidence that was named last', async () => {
    const other = open();
    const client = observe(observe(new OpenAI(options()), evidence), other);
    await ask(client);
    await ask(client.withOptions({ timeout: 9_000 }));
    expect(await evidence.flush()).toBe(0);
    expect(service.records.size).toBe(0);
    await other.close();
    expect(service.records.size).toBe(2);
  });

  it('as a subclass, as a client with options, or as a copy, is recorded once', async () => {
    class Own extends OpenAI {}
    const client: any = observe(Reflect.construct(Own, [options()]), evidence);
    const copy = Object.assign(Object.create(Object.getPrototypeOf(client)), client);
    for (const one of [client, client.withOptions({}), copy]) await ask(observe(one, evidence));
    expect(await readRecords()).toHaveLength(3);
  });
});

describe('a chat model of LangChain.js', () => {
  it.each([
    ['fails', 'error', new Error('boom')],
    ['is given up', 'caller', Object.assign(new Error('aborted'), { name: 'AbortError' })],
  ] as const)('that %s after it said something leaves a part', async (_, ended, error) => {
    const chat = new FakeListChatModel({ responses: [SPOKEN] });
    const say = chat._streamResponseChunks.bind(chat);
    chat._streamResponseChunks = async function* (...args: unknown[]) {
      let said = 0;
      for await (const chunk of say(...args)) {
        if (said === HALF.length) throw error;
        yield chunk;
        said += 1;
      }
    };
    const callbacks = [evidenceCallbacks(evidence)];
    await expect(chat.stream('q', { callbacks }).then(readToEnd)).rejects.toThrow(error.message);
    expect(await readRecords()).toEqual(partBy(ended));
  });

  /** Reads the first half of a stream, and leaves it. */
  async function leave(): Promise<void> {
    const chat = new FakeListChatModel({ responses: [SPOKEN] });
    let said = 0;
    for await (const _ of await chat.stream('q', { callbacks: [evidenceCallbacks(evidence)] }))
      if (++said === HALF.length) break;
  }

  it('that is left by break leaves a part once nothing holds the stream', async () => {
    await leave();
    // Outside of tests, this is done when memory is needed.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let n = 0; n < 100 && service.records.size === 0; n++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await readRecords()).toEqual(partBy('caller'));
  });

  it('that is left by break leaves a part at the latest when the client is closed', async () => {
    await leave();
    expect(await evidence.close()).toBe(0);
    expect(await readRecords()).toEqual(partBy('caller'));
  });
});

describe('a text of the AI SDK', () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  /** A model that says the first half, and then does this. */
  const breaking = (then: (controller: ReadableStreamDefaultController) => void) =>
    new MockModel({
      provider: 'mock',
      modelId: 'gpt',
      doStream: ({ abortSignal }: { abortSignal?: AbortSignal }) =>
        Promise.resolve({
          stream: new ReadableStream({
            start(controller) {
              controller.enqueue({ type: 'stream-start', warnings: [] });
              controller.enqueue({ type: 'text-start', id: '1' });
              controller.enqueue({ type: 'text-delta', id: '1', delta: HALF });
              abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason));
              then(controller);
            },
          }),
        }),
    });
  const ask = (of: object, more: object = {}) => {
    const telemetry = { integrations: [evidenceTelemetry(evidence)] };
    return ai['streamText']({ model: of, prompt: 'q', maxRetries: 0, onError: () => undefined, telemetry, ...more });
  };

  it('that was given up leaves a part', async () => {
    const giveUp = new AbortController();
    const { textStream } = ask(
      breaking(() => undefined),
      { abortSignal: giveUp.signal },
    );
    for await (const text of textStream) if (text === HALF) giveUp.abort();
    expect(await readRecords()).toEqual(partBy('caller'));
  });

  it.each([
    ['loses its connection', (controller: ReadableStreamDefaultController) => controller.error(new Error('lost'))],
    [
      'brings an error',
      (controller: ReadableStreamDefaultController) => {
        controller.enqueue({ type: 'error', error: new Error('boom') });
        controller.enqueue({ type: 'finish', finishReason: { unified: 'error', raw: 'x' }, usage });
        controller.close();
      },
    ],
  ])('that %s leaves a part', async (_, then) => {
    await readToEnd(ask(breaking((controller) => void setTimeout(() => then(controller), 20))).textStream).catch(
      () => undefined,
    );
    expect(await readRecords()).toEqual(partBy('error'));
  });
});
