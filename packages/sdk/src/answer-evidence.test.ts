import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AnswerEvidence, type EvidenceError, type Options, QueueError } from './index.ts';
import { type FakeService, openFakeService, page, problem } from './testing/fake-service.ts';

let service: FakeService;
let errors: EvidenceError[];
const opened: AnswerEvidence[] = [];
beforeEach(async () => {
  service = await openFakeService();
  errors = [];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((evidence) => evidence.close(0)));
  await service.close();
});

function open(options: Partial<Options> = {}): AnswerEvidence {
  // What is still being sent when its test has ended fails in that test's list.
  const reported = errors;
  const evidence = new AnswerEvidence({
    application: 'support-bot',
    url: service.url,
    token: 't',
    onError: (error) => reported.push(error),
    ...options,
  });
  opened.push(evidence);
  return evidence;
}

/** Waits until a failure was reported. */
async function failure(): Promise<EvidenceError | undefined> {
  while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return errors[0];
}

const answer = { question: 'How long can I return a jacket?', answer: '30 days.' };

describe('record', () => {
  it('returns before anything is sent, and the service gets the answer with a key', async () => {
    const { idempotencyKey, recorded } = await open().record(answer);
    expect(service.sent).toHaveLength(0);
    expect((await recorded).idempotency_key).toBe(idempotencyKey);
    expect(service.sent).toEqual([
      {
        application_key: 'support-bot',
        idempotency_key: idempotencyKey,
        question: { text: answer.question },
        answer: { text: answer.answer },
      },
    ]);
    expect(errors).toEqual([]);
  });

  it('sends an answer again under the same key until the service has it', async () => {
    service.respond(problem(503, 'ledger_unavailable'));
    const evidence = open();
    const { idempotencyKey } = await evidence.record(answer);
    await failure();
    service.respond(undefined);
    expect(await evidence.flush()).toBe(0);
    expect(service.sent.length).toBeGreaterThan(1);
    expect(new Set(service.sent.map((sent) => sent.idempotency_key))).toEqual(new Set([idempotencyKey]));
    expect([...service.records.keys()]).toEqual([idempotencyKey]);
    expect(errors[0]).toMatchObject({ name: 'ProblemError', code: 'ledger_unavailable', status: 503 });
  });

  it('keeps what was held when the caller changes it later', async () => {
    const mine = { ...answer, source_refs: [{ source_name: 'returns.md' }] };
    const evidence = open();
    await evidence.record(mine);
    mine.source_refs.push({ source_name: 'later.md' });
    await evidence.flush();
    expect(service.sent[0]?.source_refs).toEqual([{ source_name: 'returns.md' }]);
  });

  it('gives up an answer that the service refuses, and says why', async () => {
    service.respond(problem(422, 'schema_violation'));
    const evidence = open();
    const { recorded } = await evidence.record(answer);
    await expect(recorded).rejects.toMatchObject({
      name: 'ProblemError',
      code: 'schema_violation',
      requestId: 'req-1',
    });
    expect(await evidence.flush()).toBe(0);
    expect(service.sent).toHaveLength(1);
    expect(errors).toHaveLength(1);
  });

  it.each([
    ['a wrong token', problem(401, 'unauthenticated'), { name: 'ProblemError', code: 'unauthenticated' }],
    ['a proxy with a page', page(200), { name: 'ResponseError', code: 'unexpected_response' }],
    ['a proxy that is overloaded', page(503), { name: 'ResponseError', code: 'unexpected_response' }],
    ['a log that is damaged', problem(500, 'content_damaged'), { name: 'ProblemError', code: 'content_damaged' }],
    [
      'a limit',
      problem(429, 'rate_limited', { 'retry-after': '3600' }),
      { name: 'ProblemError', retryAfterMs: 3_600_000 },
    ],
  ])('loses nothing to %s', async (_, respond, error) => {
    service.respond(respond);
    const evidence = open();
    await evidence.record(answer);
    expect(await failure()).toMatchObject(error);
    expect(errors[0]?.message).not.toContain('jacket');
    service.respond(undefined);
    expect(await evidence.flush()).toBe(0);
    expect(service.records.size).toBe(1);
  });

  it('loses nothing to a service that never responds', async () => {
    service.respond(() => undefined);
    const evidence = open({ timeoutMs: 1_000 });
    await evidence.record(answer);
    expect(await failure()).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
    service.respond(undefined);
    expect(await evidence.flush()).toBe(0);
  });

  it('loses nothing to a service that is not there', async () => {
    const { url } = service;
    await service.close();
    const evidence = open();
    await evidence.record(answer);
    expect(await failure()).toMatchObject({ name: 'TransportError', code: 'unreachable' });
    service = await openFakeService(Number(new URL(url).port));
    expect(await evidence.flush()).toBe(0);
    expect(service.records.size).toBe(1);
  });

  it('rejects after close, and tells how much close left behind', async () => {
    service.respond(problem(503, 'ledger_unavailable'));
    const evidence = open();
    const { recorded } = await evidence.record(answer);
    expect(await evidence.close(50)).toBe(1);
    await expect(recorded).rejects.toMatchObject({ code: 'queue_abandoned' });
    await expect(evidence.record(answer)).rejects.toMatchObject({ code: 'queue_closed' });
  });

  it('gives up after close what was being sent then, once that has failed', async () => {
    let fail = (): void => undefined;
    const isSent = new Promise<void>((resolve) => {
      service.respond((response, request) => {
        fail = () => problem(503, 'ledger_unavailable')(response, request);
        resolve();
      });
    });
    const evidence = open();
    const { recorded } = await evidence.record(answer);
    await isSent;
    expect(await evidence.close(0)).toBe(1);
    expect(errors).toEqual([]);
    fail();
    await expect(recorded).rejects.toMatchObject({ code: 'queue_abandoned' });
    expect(errors).toEqual([expect.objectContaining({ code: 'queue_abandoned' })]);
    expect(service.sent).toHaveLength(1);
  });
});

describe('a full queue', () => {
  const hang = () => service.respond(() => undefined);

  it('drops the answer that comes on top, and says so', async () => {
    hang();
    const evidence = open({ queue: { max: 2 } });
    await evidence.record(answer);
    await evidence.record(answer);
    const { recorded } = await evidence.record(answer);
    await expect(recorded).rejects.toBeInstanceOf(QueueError);
    expect(errors).toEqual([expect.objectContaining({ name: 'QueueError', code: 'queue_full' })]);
  });

  it('throws where that was chosen, also for too many characters', async () => {
    hang();
    const evidence = open({ queue: { maxCharacters: 400, overflow: 'throw' } });
    await evidence.record(answer);
    await expect(evidence.record({ ...answer, answer: 'x'.repeat(400) })).rejects.toMatchObject({ code: 'queue_full' });
    expect(errors).toEqual([]);
  });

  it('waits where that was chosen, until there is room', async () => {
    service.respond(problem(503, 'ledger_unavailable'));
    const evidence = open({ queue: { max: 1, overflow: 'wait' } });
    await evidence.record(answer);
    let isHeld = false;
    const second = evidence.record(answer).then(() => {
      isHeld = true;
    });
    expect(await evidence.flush(50)).toBe(1);
    expect(isHeld).toBe(false);
    service.respond(undefined);
    await evidence.flush();
    await second;
    expect(await evidence.flush()).toBe(0);
    expect(service.records.size).toBe(2);
  });
});

describe('failing closed', () => {
  it('returns when the service has the answer', async () => {
    const { recorded } = await open({ fail: 'closed' }).record(answer);
    expect(service.records.size).toBe(1);
    expect((await recorded).status).toBe('recorded');
  });

  it('rejects when it has not', async () => {
    service.respond(problem(403, 'scope_missing'));
    await expect(open({ fail: 'closed' }).record(answer)).rejects.toMatchObject({ code: 'scope_missing' });
  });
});

describe('a receipt that does not verify', () => {
  const trust = join(import.meta.dirname, '../../../e2e/frozen/v1/trust/trust.json');

  it('is a typed error, and the answer is not sent again: it is recorded', async () => {
    const evidence = open({ trust });
    const { recorded } = await evidence.record(answer);
    await expect(recorded).rejects.toMatchObject({
      name: 'VerificationError',
      code: 'receipt_invalid',
      remembered: null,
    });
    expect(await evidence.flush()).toBe(0);
    expect(service.sent).toHaveLength(1);
    expect(errors).toHaveLength(1);
  });

  it('is an error of the call that fails closed', async () => {
    await expect(open({ trust, fail: 'closed' }).record(answer)).rejects.toMatchObject({ code: 'receipt_invalid' });
  });
});

describe('what leaves the process', () => {
  it('is masked, refs included', async () => {
    const evidence = open({ mask: (text, place) => text.replaceAll('jacket', `[${place}]`) });
    await evidence.record({ ...answer, source_refs: [{ source_name: 'jackets.md', pages: [1] }] });
    await evidence.flush();
    expect(service.sent[0]).toMatchObject({
      question: { text: 'How long can I return a [question]?' },
      source_refs: [{ source_name: '[source_ref]s.md', pages: [1] }],
    });
  });

  it('is nothing when the mask throws', async () => {
    const evidence = open({
      mask: () => {
        throw new Error('no mask');
      },
    });
    await expect(evidence.record(answer)).rejects.toThrow('no mask');
    await evidence.flush();
    expect(service.sent).toEqual([]);
  });
});

describe('a scope', () => {
  it('gives its fields and sources to the answers in it, and each a key of its own', async () => {
    const evidence = open();
    await evidence.scope({ idempotency_key: 'msg-1', session_id_hash: 's' }, async () => {
      evidence.addSources({ source_name: 'a.md' });
      await evidence.record({ ...answer, source_refs: [{ source_name: 'b.md' }] });
      await evidence.record(answer);
    });
    await evidence.record(answer);
    await evidence.flush();
    expect([...service.records.keys()].slice(0, 2)).toEqual(['msg-1', 'msg-1:2']);
    expect(service.records.get('msg-1')).toMatchObject({
      session_id_hash: 's',
      source_refs: [{ source_name: 'a.md' }, { source_name: 'b.md' }],
    });
    expect([...service.records.values()][2]).not.toHaveProperty('session_id_hash');
  });
});

describe('options', () => {
  it('come from the environment where they are not given', async () => {
    const before = { ...process.env };
    try {
      process.env['ANSWER_EVIDENCE_URL'] = service.url;
      process.env['ANSWER_EVIDENCE_TOKEN'] = 't';
      const evidence = new AnswerEvidence({ application: 'support-bot' });
      opened.push(evidence);
      await (
        await evidence.record(answer)
      ).recorded;
    } finally {
      process.env = before;
    }
  });

  it.each([
    ['no URL', { url: undefined }, 'ANSWER_EVIDENCE_URL'],
    ['a URL that is none', { url: 'evidence' }, 'not a URL'],
    ['no token', { token: undefined }, 'ANSWER_EVIDENCE_TOKEN'],
    ['a token with a line break', { token: 'secret\n' }, 'not a valid bearer token'],
    ['no application', { application: '' }, 'application'],
    ['a folder that would drop', { queue: { folder: '/tmp/x', overflow: 'drop' } }, 'wait or throw'],
    ['a folder without a queue', { queue: { folder: '/tmp/x' }, fail: 'closed' }, 'leave one out'],
    ['a way to fail that does not exist', { fail: 'close' }, 'open, closed'],
    ['an overflow that does not exist', { queue: { overflow: 'block' } }, 'drop, wait, throw'],
    ['an empty queue', { queue: { max: 0 } }, 'queue.max'],
    ['checkpoints without trust', { checkpoints: '/tmp/x' }, 'trust'],
    ['a trust file that is not there', { trust: '/nowhere/trust.json' }, 'trust export'],
  ] as const)('with %s are refused', (_, options, message) => {
    expect(() => open(options as unknown as Partial<Options>)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(message) }),
    );
    expect(() => open(options as unknown as Partial<Options>)).not.toThrow('secret');
  });
});
