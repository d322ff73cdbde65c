import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commitPlain } from '@answer-evidence/commitments';
import { ServiceError } from '@answer-evidence/contracts';
import { changeSettings } from '@answer-evidence/testing';
import { openOtlpTest, type OtlpTest, span, TRACE, traces } from '../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(async () => {
  expect((await test.checkLedger()).findings).toEqual([]);
  await test.close();
});

const idOf = (n: number) => n.toString(16).padStart(16, '0');
const keyOf = (n: number) => `otlp:${TRACE}:${idOf(n)}`;
const below = (parent: number, more: object = {}) => ({ parentSpanId: idOf(parent), ...more });
const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const spoken = (text: string) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': message('user', `${text}?`),
  'gen_ai.output.messages': message('assistant', text),
});
const root = span(1, {});
const agent = span(2, spoken('agent'), below(1));
const retrieval = span(3, { 'gen_ai.retrieval.documents': '[{"id":"doc-1"}]' }, below(2));
const call = span(4, spoken('call'), below(2));

async function quiet(): Promise<void> {
  test.clock.advance(60_000_000);
  await test.runWaiting();
}

const TEXTS = new Map(['agent', 'call', 'forged', 'late', 'an answer'].map((text) => [commitPlain(text), text]));

/** Of each record its key, its answer and the names of its sources; lists do not show texts. */
async function texts(): Promise<readonly (readonly [string | null, string | undefined, readonly unknown[]])[]> {
  return (await test.listed()).map((record) => [
    record.idempotency_key,
    TEXTS.get(record.answer.hash),
    record.source_refs.map((ref) => ref['source_name']),
  ]);
}

async function openTraces(): Promise<number> {
  return (await test.otlp.backlog(test.workspace.id)).openTraces;
}

describe('an agent whose spans come in several requests', () => {
  it('is one record with all of its sources, as soon as its root has come', async () => {
    test = await openOtlpTest();
    for (const one of [retrieval, call, retrieval]) await test.send(traces([one]));
    await test.runWaiting();
    expect(await openTraces()).toBe(1);
    await test.send(traces([agent, root]));
    await Promise.all([test.runWaiting(), test.runWaiting()]);
    expect(await texts()).toEqual([[keyOf(2), 'agent', ['doc-1']]]);
    expect(await openTraces()).toBe(0);
  });

  it('changes nothing when its batches are sent again, before or after it is decided', async () => {
    test = await openOtlpTest();
    const batches = [traces([retrieval, call]), traces([agent, root])];
    for (const batch of [...batches, ...batches]) await test.send(batch);
    await test.runWaiting();
    for (const batch of batches) await test.send(batch);
    await test.runWaiting();
    await quiet();
    await test.workOff();
    expect((await test.listed()).map(({ trace_refs: refs }) => refs)).toEqual([[]]);
    expect(await texts()).toEqual([[keyOf(2), 'agent', ['doc-1']]]);
    expect(await test.unattached()).toEqual([]);
  });

  it('is decided without its root when nothing has come for a while, and joined by what comes later', async () => {
    test = await openOtlpTest();
    await test.send(traces([retrieval, agent]));
    test.clock.advance(59_000_000);
    await test.runWaiting();
    expect(await texts()).toEqual([]);
    await quiet();
    expect(await texts()).toEqual([[keyOf(2), 'agent', ['doc-1']]]);
    await test.send(traces([call]));
    await test.runWaiting();
    await quiet();
    const [record] = await test.listed();
    expect(await texts()).toHaveLength(1);
    expect(record?.trace_refs).toMatchObject([{ span_id: idOf(4), commitments: 'absent' }]);
  });

  it('is joined by what comes later below a span that was decided with it', async () => {
    test = await openOtlpTest();
    const step = span(5, {}, below(2));
    await test.send(traces([root, agent, step]));
    await test.workOff();
    await test.send(traces([span(6, spoken('late'), below(5))]));
    await quiet();
    expect(await texts()).toEqual([[keyOf(2), 'agent', []]]);
    expect((await test.listed())[0]?.trace_refs).toMatchObject([{ span_id: idOf(6) }]);
  });

  it('keeps what was sent first of a span that comes twice with other contents', async () => {
    test = await openOtlpTest();
    await test.send(traces([agent]));
    await test.send(traces([span(2, spoken('forged'), below(1))]));
    await test.send(traces([root]));
    await test.runWaiting();
    expect(await texts()).toEqual([[keyOf(2), 'agent', []]]);
  });

  it('leaves no text in the rows of what was decided', async () => {
    test = await openOtlpTest();
    await test.send(traces([call]));
    const sizes = async () =>
      (
        await test.owner.query<{ size: number }>(
          'select octet_length(items) as size from answer_evidence.otlp_trace_parts',
        )
      ).rows;
    const before = await sizes();
    await quiet();
    expect((await sizes())[0]?.size).toBeLessThan(before[0]?.size ?? 0);
    test.clock.advance(301_000_000);
    await test.runWaiting();
    expect(await sizes()).toEqual([]);
  });
});

describe('however a trace is split into requests', () => {
  const trace = [root, agent, retrieval, call, span(5, {}, below(2)), span(6, spoken('late'), below(5))];
  const drawn = fc.record({
    order: fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5, maxLength: 5 }),
    cuts: fc.subarray([1, 2, 3, 4, 5]),
    runs: fc.subarray([0, 1, 2, 3, 4]),
  });

  it('is one record with all of its sources, however often it is looked at in between', async () => {
    test = await openOtlpTest();
    let traceId = '';
    for (const [n, { order, cuts, runs }] of fc.sample(drawn, 12).entries()) {
      traceId = (n + 1).toString(16).padStart(32, '0');
      const spans = [...order, 0].flatMap((at) => (trace[at] === undefined ? [] : [{ ...trace[at], traceId }]));
      const bounds = [0, ...cuts, spans.length];
      for (let part = 0; part + 1 < bounds.length; part++) {
        await test.send(traces(spans.slice(bounds[part], bounds[part + 1])));
        if (runs.includes(part)) await test.runWaiting();
      }
      await test.workOff();
      await test.runWaiting();
    }
    const expected = Array.from({ length: 12 }, (_, n) => [
      `otlp:${(n + 1).toString(16).padStart(32, '0')}:${idOf(2)}`,
      'agent',
      ['doc-1'],
    ]);
    expect((await texts()).toSorted()).toEqual(expected.toSorted());
    await quiet();
    expect(await texts()).toHaveLength(12);
  });
});

describe('a trace that is not decided', () => {
  it('is decided once when the process dies between the ledger and the store', async () => {
    let deaths = 1;
    test = await openOtlpTest({}, (_, otlp) => ({
      otlp: {
        ...otlp,
        finishTraces: (...finished) =>
          deaths-- > 0 ? Promise.reject(new Error('killed')) : otlp.finishTraces(...finished),
      },
    }));
    await test.send(traces([retrieval, call]));
    await test.send(traces([agent, root]));
    await expect(test.runWaiting()).rejects.toThrow('killed');
    await test.runWaiting();
    expect(await texts()).toEqual([[keyOf(2), 'agent', ['doc-1']]]);
    expect((await test.listed())[0]?.trace_refs).toEqual([]);
    expect(await openTraces()).toBe(0);
  });

  it('is judged by the settings of the moment it was sent', async () => {
    test = await openOtlpTest();
    await test.send(traces([agent]));
    await changeSettings(test, { answer_audit_accept_text: false, answer_audit_accept_caller_hash: true });
    expect(await test.send(traces([call]))).toMatchObject({ rejected: 1 });
    await test.send(traces([root]));
    await test.runWaiting();
    expect(await texts()).toEqual([[keyOf(2), 'agent', []]]);
  });

  it('is counted when it is decided, and not when it is looked at', async () => {
    const reasons: string[] = [];
    test = await openOtlpTest({}, () => ({ onTraces: (reason, count) => reasons.push(`${reason} ${count}`) }));
    await test.send(traces([agent]));
    await test.send(traces([span(7, {})]));
    await test.runWaiting();
    expect([await openTraces(), reasons]).toEqual([1, []]);
    await quiet();
    expect([await openTraces(), reasons]).toEqual([0, ['quiet 1']]);
  });

  it('waits no longer and no shorter when the clock steps back', async () => {
    test = await openOtlpTest();
    await test.send(traces([agent]));
    test.clock.advance(-3_600_000_000);
    await test.runWaiting();
    await test.runWaiting();
    expect(await texts()).toEqual([]);
    await quiet();
    expect(await texts()).toHaveLength(1);
  });

  it('is decided at once, with what is there of it, when it is too large', async () => {
    test = await openOtlpTest();
    const large = (n: number) => span(n, spoken(`${n} ${'x'.repeat(240_000)}`), below(1));
    for (let n = 2; n < 14; n++) await test.send(traces([large(n)]));
    await test.runWaiting();
    expect((await texts()).length).toBeGreaterThan(5);
    await quiet();
    expect(await texts()).toHaveLength(12);
    expect(await openTraces()).toBe(0);
  });

  it('is decided with its request when too many wait, and says so', async () => {
    const reasons: string[] = [];
    test = await openOtlpTest({}, (_, otlp) => ({
      otlp: { ...otlp, traceUsage: () => Promise.resolve({ count: 100_000, sizeBytes: 0 }) },
      onTraces: (reason, count) => reasons.push(`${reason} ${count}`),
    }));
    await test.send(traces([call]));
    await test.workOff();
    expect(await texts()).toEqual([[keyOf(4), 'call', []]]);
    expect(reasons).toEqual(['too_many 1']);
    expect(await openTraces()).toBe(0);
  });

  it.each([
    ['own', 'too many', { count: 100_000, sizeBytes: 0 }, [1, 0]],
    ['own', 'too much', { count: 1, sizeBytes: 256 * 1024 * 1024 }, [1, 0]],
    ['another', 'too many', { count: 100_000, sizeBytes: 0 }, [0, 1]],
    ['another', 'too much', { count: 1, sizeBytes: 256 * 1024 * 1024 }, [0, 1]],
  ])('is held or not by its own workspace alone: %s one has %s waiting', async (whose, _, full, seen) => {
    test = await openOtlpTest({}, (_workspace, otlp) => ({
      otlp: {
        ...otlp,
        traceUsage: (id) =>
          Promise.resolve((id === test.workspace.id) === (whose === 'own') ? full : { count: 0, sizeBytes: 0 }),
      },
    }));
    await test.send(traces([call]));
    await test.workOff();
    expect([(await texts()).length, await openTraces()]).toEqual(seen);
  });

  it('gets no more when too many wait', async () => {
    let count = 0;
    let usages = 0;
    test = await openOtlpTest({}, (_, otlp) => ({
      otlp: {
        ...otlp,
        traceUsage() {
          usages += 1;
          return usages === 1
            ? Promise.reject(new ServiceError('ledger_unavailable', 'away'))
            : Promise.resolve({ count, sizeBytes: 0 });
        },
      },
    }));
    await expect(test.send(traces([call]))).rejects.toThrow('503');
    count = 100_000;
    for (const one of [call, agent]) await test.send(traces([one]));
    await test.workOff();
    expect((await texts()).map(([key]) => key).toSorted()).toEqual([keyOf(2), keyOf(4)]);
    expect(await openTraces()).toBe(0);
  });

  it('is let go by its id when it was altered, and holds up no other', async () => {
    test = await openOtlpTest();
    await test.send(traces([call]));
    const { rows } = await test.owner.query<{ id: string }>(
      `update answer_evidence.otlp_trace_parts set items = set_byte(items, 40, get_byte(items, 40) # 1) returning id`,
    );
    await test.send(traces([{ ...agent, traceId: 'f'.repeat(32) }]));
    test.clock.advance(61_000_000);
    await expect(test.runWaiting()).rejects.toMatchObject({
      message: `items were altered since they were accepted, and dropped; send them again: part ${rows[0]?.id} of a trace`,
    });
    expect((await texts()).map(([, answer]) => answer)).toEqual(['agent']);
    await test.runWaiting();
  });

  it('is decided where its spans form a ring over several requests, with one record for each key', async () => {
    test = await openOtlpTest();
    const ring = [span(2, spoken('agent'), below(3)), span(3, spoken('call'), below(4)), span(4, {}, below(2))];
    for (const one of [...ring, ...ring]) await test.send(traces([one]));
    await quiet();
    await quiet();
    expect((await texts()).map(([key, text]) => [key, text]).toSorted()).toEqual([
      [keyOf(2), 'agent'],
      [keyOf(3), 'call'],
    ]);
    expect(await openTraces()).toBe(0);
  });

  it('is held no longer for times that lie beyond all time, and keeps no time of them', async () => {
    test = await openOtlpTest();
    const never = { startTimeUnixNano: '18446744073709551615', endTimeUnixNano: '18446744073709551615' };
    await test.send(traces([span(2, spoken('agent'), below(1, never)), span(4, spoken('call'), below(2, never))]));
    await quiet();
    expect((await texts()).map(([key, text]) => [key, text])).toEqual([[keyOf(2), 'agent']]);
    expect(await openTraces()).toBe(0);
  });

  it('that never ends is decided when it has too much, and what still comes is decided again', async () => {
    test = await openOtlpTest();
    const filler = 'x'.repeat(250_000);
    for (let n = 2; n < 20; n++) {
      await test.send(traces([span(n, spoken(filler), below(1))]));
      test.clock.advance(1_000_000);
      await test.runWaiting();
    }
    expect((await test.listed()).length).toBeGreaterThan(10);
    await quiet();
    const records = await test.listed();
    expect(new Set(records.map(({ idempotency_key: key }) => key)).size).toBe(18);
    expect(records).toHaveLength(18);
    expect(await openTraces()).toBe(0);
  });

  it('that never ends is decided after a day, although more of it comes again and again', async () => {
    test = await openOtlpTest({}, () => ({ otlpTraceWaitSeconds: 3_600 }));
    await test.send(traces([span(2, spoken('agent'), below(1))]));
    const minutes = 24 * 60;
    for (let minute = 0; minute < minutes; minute += 30) {
      // Each part comes before the quiet time is over.
      await test.send(traces([span(100 + minute, { 'gen_ai.retrieval.documents': '[{"id":"doc"}]' }, below(2))]));
      await test.runWaiting();
      expect(await openTraces()).toBe(1);
      test.clock.advance(30 * 60_000_000);
    }
    await test.runWaiting();
    expect((await texts()).map(([key, text]) => [key, text])).toEqual([[keyOf(2), 'agent']]);
    expect(await openTraces()).toBe(0);
  });

  it('belongs to its application alone', async () => {
    test = await openOtlpTest();
    await test.send(traces([call]));
    const other = { ...test.application, applicationKey: 'another-bot' };
    await test.send(traces([agent, root], 'another-bot'), other);
    await test.runWaiting();
    await test.workOff();
    await quiet();
    expect((await texts()).map(([key]) => key).toSorted()).toEqual([keyOf(2), keyOf(4)]);
  });
});

describe('a conversation in log records', () => {
  it('is one record, whichever request has its question and which its answer', async () => {
    test = await openOtlpTest();
    const logs = (eventName: string, body: object, time: string) => ({
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'support-bot' } }] },
          scopeLogs: [{ logRecords: [{ traceId: TRACE, spanId: idOf(7), eventName, timeUnixNano: time, body }] }],
        },
      ],
    });
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const answer = { kvlistValue: { values: [text('content', 'an answer')] } };
    await test.send(logs('gen_ai.choice', { kvlistValue: { values: [{ key: 'message', value: answer }] } }, '2'));
    await test.runWaiting();
    expect(await texts()).toEqual([]);
    await test.send(logs('gen_ai.user.message', { kvlistValue: { values: [text('content', 'a question')] } }, '1'));
    await test.runWaiting();
    expect(await texts()).toEqual([[keyOf(7), 'an answer', []]]);
    expect((await test.listed())[0]?.question.hash).toBe(commitPlain('a question'));
  });
});
