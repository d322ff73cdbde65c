import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { evidenceTelemetry } from '../ai.ts';
import { AnswerEvidence, type EvidenceError } from '../index.ts';
import { evidenceCallbacks } from '../langchain.ts';
import { type FakeService, openFakeService, problem } from '../testing/fake-service.ts';

/** The frameworks themselves. Their types are no part of this repository's type check. */
const load = async (name: string) => (await import(name)) as Record<string, any>;
const ai = await load('ai');
const { MockLanguageModelV4: MockModel = Object, simulateReadableStream } = await load('ai/test');
const { FakeListChatModel = Object } = await load('@langchain/core/utils/testing');
const { RunnableLambda = Object } = await load('@langchain/core/runnables');
const { BaseRetriever = Object } = await load('@langchain/core/retrievers');

let service: FakeService;
let evidence: AnswerEvidence;
let errors: EvidenceError[];
beforeEach(async () => {
  service = await openFakeService();
  errors = [];
  const onError = (error: EvidenceError) => void errors.push(error);
  evidence = new AnswerEvidence({ application: 'support-bot', url: service.url, token: 't', onError });
});
afterEach(async () => {
  await evidence.close(0);
  await service.close();
});

async function readRecords() {
  expect(await evidence.flush()).toBe(0);
  expect(errors).toEqual([]);
  return [...service.records.values()];
}

const inScope = <T>(work: () => T): T => evidence.scope({ idempotency_key: 'msg-1' }, work);

describe('the telemetry integration of the AI SDK', () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const finishReason = { unified: 'stop', raw: 'stop' };
  const response = { id: 'r1', modelId: 'gpt-2026' };
  const answered = { content: [{ type: 'text', text: '30 days.' }], finishReason, usage, warnings: [], response };
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'find_policy', input: '{"topic":"returns"}' };
  const asks = { ...answered, content: [call], finishReason: { unified: 'tool-calls', raw: 'tool_calls' } };
  const telemetry = () => ({ integrations: [evidenceTelemetry(evidence)] });
  const open = (...replies: readonly object[]) => {
    const left = [...replies];
    const doGenerate = () => Promise.resolve(left.shift());
    return new MockModel({ provider: 'mock', modelId: 'gpt', doGenerate });
  };

  it('records a text, in the scope of the call', async () => {
    await inScope(() => ai['generateText']({ model: open(answered), prompt: 'q', telemetry: telemetry() }));
    expect(await readRecords()).toEqual([
      expect.objectContaining({
        idempotency_key: 'msg-1',
        external_message_id: 'r1',
        question: { text: 'q' },
        answer: { text: '30 days.' },
        semantic_refs: [
          {
            ref_type: 'model',
            operation: 'chat',
            provider: 'mock',
            request_model: 'gpt',
            response_model: 'gpt-2026',
            finish_reasons: ['stop'],
          },
        ],
      }),
    ]);
  });

  it('records a streamed text once, when it was read', async () => {
    const chunks = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: '30 ' },
      { type: 'text-delta', id: '1', delta: 'days.' },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason, usage },
    ];
    const doStream = () => Promise.resolve({ stream: simulateReadableStream({ chunks }) });
    const model = new MockModel({ modelId: 'gpt', doStream });
    const result = ai['streamText']({ model, messages: [{ role: 'user', content: 'q' }], telemetry: telemetry() });
    const parts: string[] = [];
    for await (const part of result.textStream) parts.push(part);
    expect(parts).toEqual(['30 ', 'days.']);
    expect((await readRecords()).map(({ answer }) => answer.text)).toEqual(['30 days.']);
  });

  it('records the answer after a tool, which is named', async () => {
    const inputSchema = ai['jsonSchema']({ type: 'object' });
    const tools = { find_policy: ai['tool']({ inputSchema, execute: () => '30' }) };
    const stopWhen = ai['stepCountIs'](2);
    const options = { model: open(asks, answered), prompt: 'q', tools, stopWhen, telemetry: telemetry() };
    await ai['generateText'](options);
    const records = await readRecords();
    expect(records.map(({ answer }) => answer.text)).toEqual(['30 days.']);
    expect(records[0]?.semantic_refs?.[1]).toMatchObject({ ref_type: 'tool_call', name: 'find_policy' });
    expect(JSON.stringify(records)).not.toContain('returns');
  });

  it('records nothing of a call that is not to be recorded, nor of one that fails', async () => {
    const kept = { ...telemetry(), recordOutputs: false };
    await ai['generateText']({ model: open(answered), prompt: 'q', telemetry: kept });
    const failing = new MockModel({ doGenerate: () => Promise.reject(new Error('no model')) });
    const call = ai['generateText']({ model: failing, prompt: 'q', maxRetries: 0, telemetry: telemetry() });
    await expect(call).rejects.toThrow('no model');
    expect(await readRecords()).toEqual([]);
  });
});

describe('the telemetry integration of a client that fails closed', () => {
  it('is refused, since the AI SDK goes on whatever an integration throws', () => {
    const closed = new AnswerEvidence({ application: 'support-bot', url: service.url, token: 't', fail: 'closed' });
    expect(() => evidenceTelemetry(closed)).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining('fail: open') }),
    );
  });
});

describe('the callbacks of LangChain.js', () => {
  const options = () => ({ callbacks: [evidenceCallbacks(evidence)] });
  const open = () => new FakeListChatModel({ responses: ['30 days.'] });

  it('record the answer of a chat model, in the scope of the call', async () => {
    const messages = [
      ['system', 's'],
      ['human', 'q'],
    ];
    await inScope(() => open().invoke(messages, options()));
    expect(await readRecords()).toEqual([
      expect.objectContaining({ idempotency_key: 'msg-1', question: { text: 'q' }, answer: { text: '30 days.' } }),
    ]);
  });

  it('record a streamed answer once', async () => {
    for await (const _ of await open().stream('q', options()));
    expect((await readRecords()).map(({ answer }) => answer.text)).toEqual(['30 days.']);
  });

  it('bind the documents of the same chain, by name and hash', async () => {
    class Found extends BaseRetriever {
      lc_namespace = ['tests'];
      _getRelevantDocuments() {
        return Promise.resolve([{ pageContent: 'Within 30 days.', metadata: { source: 'returns.md' } }]);
      }
    }
    const retriever: any = new Found();
    const chain = RunnableLambda.from(async (question: string, config: object) => {
      const [document] = await retriever.invoke(question, config);
      return `${document.pageContent} ${question}`;
    }).pipe(open());
    await chain.invoke('q', options());
    const [record] = await readRecords();
    expect(record?.question).toEqual({ text: 'Within 30 days. q' });
    const source = { source_name: 'returns.md', source_type: 'document' };
    expect(record?.source_refs).toEqual([{ ...source, source_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }]);
  });

  it('record nothing of a model that fails', async () => {
    const failing = new FakeListChatModel({ responses: [] });
    failing._generate = () => Promise.reject(new Error('no model'));
    await expect(failing.invoke('q', options())).rejects.toThrow('no model');
    expect(await readRecords()).toEqual([]);
  });

  it('hold back an answer that is not recorded, where the client fails closed', async () => {
    const closed = new AnswerEvidence({ application: 'support-bot', url: service.url, token: 't', fail: 'closed' });
    const callbacks = [evidenceCallbacks(closed)];
    expect((await open().invoke('q', { callbacks })).content).toBe('30 days.');
    service.respond(problem(401, 'token_expired'));
    await expect(open().invoke('q', { callbacks })).rejects.toMatchObject({ code: 'token_expired' });
    const read = async () => {
      for await (const _ of await open().stream('q', { callbacks }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'token_expired' });
  });
});
