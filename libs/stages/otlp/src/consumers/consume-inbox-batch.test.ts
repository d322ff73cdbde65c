import { afterEach, describe, expect, it } from '@jest/globals';
import { changeSettings } from '@answer-evidence/testing';
import { answerSpan, openOtlpTest, type OtlpTest, span, TRACE, traces } from '../fixtures/otlp.ts';

let test: OtlpTest;
afterEach(async () => {
  expect((await test.checkLedger()).findings).toEqual([]);
  await test.close();
});

const keyOf = (key: string) => ({ 'service.audit.idempotency_key': key });
const RECORDS = '/api/answer-audit-logs';

async function createByApi(key: string, question: string, answer: string): Promise<string> {
  const body = {
    application_key: 'support-bot',
    idempotency_key: key,
    question: { text: question },
    answer: { text: answer },
  };
  const reply = await test.call('POST', RECORDS, { as: test.application, body });
  expect(reply.status).toBe(201);
  return (reply.body as { id: string }).id;
}

describe('an item that states question and answer', () => {
  it('becomes a record, once, however often and at once it is sent and worked off', async () => {
    test = await openOtlpTest();
    const body = traces(Array.from({ length: 300 }, (_, n) => answerSpan(n + 1, n % 2 === 0 ? null : `key ${n}`)));
    expect(await Promise.all(Array.from({ length: 5 }, () => test.send(body)))).toEqual(
      Array.from({ length: 5 }, () => ({ rejected: 0, message: '' })),
    );
    await Promise.all([test.workOff(), test.workOff()]);
    await test.workOff();
    const records = await test.listed();
    expect(records.length).toBe(200);
    expect((await test.records.list(test.workspace.id, {}, { offset: 0, limit: 1 })).total).toBe(300);
    expect(records.every(({ trace_refs: refs }) => refs.length === 0)).toBe(true);
    const keys = new Set(records.map(({ idempotency_key: key }) => key));
    expect(keys.has(`otlp:${TRACE}:${(301 - 1).toString(16).padStart(16, '0')}`) || keys.has('key 299')).toBe(true);
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ batches: 0, items: 0, waiting: 0 });
    expect(await test.unattached()).toEqual([]);
  });

  it('that was recorded before is found, and no transaction is tried for it', async () => {
    let appends = 0;
    test = await openOtlpTest({}, ({ ledger }) => ({
      ledger: {
        ...ledger,
        appendAll(id, commands) {
          appends += commands.length;
          return ledger.appendAll(id, commands);
        },
      },
    }));
    for (const [from, fresh] of [
      [1, 20],
      [1, 0],
      [11, 10],
    ] as const) {
      appends = 0;
      await test.send(traces(Array.from({ length: 20 }, (_, n) => answerSpan(from + n, `key ${from + n}`))));
      await test.workOff();
      expect(appends).toBe(fresh);
    }
    expect(await test.listed()).toHaveLength(30);
  });

  it('is committed to and kept by the policy of the moment it was accepted, whatever comes after', async () => {
    test = await openOtlpTest({ answer_audit_store_answer_text: false });
    await test.send(traces([answerSpan(1, 'a')]));
    await changeSettings(test, { answer_audit_accept_text: false, answer_audit_accept_caller_hash: true });
    await test.workOff();
    expect(await test.send(traces([answerSpan(2, 'b')]))).toMatchObject({ rejected: 1 });
    const [record] = await test.listed();
    expect([record?.question.text_state, record?.answer.text_state]).toEqual(['stored', 'discarded']);
    expect(record?.created_by).toMatchObject({ kind: 'application', id: 'support-bot' });
    expect(record?.external_trace_id).toBe(TRACE);
  });

  it('is attached to the record of its key when it states the same, once for each span', async () => {
    test = await openOtlpTest();
    const id = await createByApi('a', 'question 7', 'answer 7');
    for (let n = 0; n < 2; n++) {
      await test.send(traces([answerSpan(7, 'a'), span(8, keyOf('a'))]));
      await test.workOff();
    }
    const [record] = await test.listed();
    expect(record?.id).toBe(id);
    const refs = record?.trace_refs.toSorted((a, b) => String(a.span_id).localeCompare(String(b.span_id)));
    expect(refs?.map(({ span_id, commitments }) => [span_id, commitments])).toEqual([
      ['0000000000000007', 'equal'],
      ['0000000000000008', 'absent'],
    ]);
    expect(refs?.[0]).toMatchObject({ trace_id: TRACE, started_at: '2026-11-20T09:00:00.000000Z' });
  });

  it('is listed and changes nothing when it states another answer', async () => {
    test = await openOtlpTest();
    const id = await createByApi('a', 'question 7', 'another answer');
    for (let n = 0; n < 3; n++) {
      await test.send(traces([answerSpan(7, 'a')]));
      await test.workOff();
    }
    expect((await test.listed()).map(({ trace_refs: refs }) => refs)).toEqual([[]]);
    expect(await test.unattached()).toMatchObject([
      { reason: 'commitment_mismatch', idempotency_key: 'a', answer_log_id: id, span_id: '0000000000000007' },
    ]);
    expect(await test.unattached({ ...test.application, applicationKey: 'another-bot' })).toEqual([]);
  });

  it('is compared with a keyed record by the texts that are kept, and attached when nothing is left to compare by', async () => {
    test = await openOtlpTest({ answer_audit_keyed_hash_enabled: true });
    await createByApi('same', 'question 1', 'answer 1');
    await createByApi('other', 'question 2', 'not answer 2');
    const redacted = await createByApi('redacted', 'question 3', 'not answer 3');
    const event = { as: test.manager, body: { event_type: 'redacted' } };
    expect((await test.call('POST', `${RECORDS}/${redacted}/events`, event)).status).toBe(200);
    await test.send(traces([answerSpan(1, 'same'), answerSpan(2, 'other'), answerSpan(3, 'redacted')]));
    await test.workOff();
    const records = await test.listed();
    expect(records.map(({ trace_refs: [ref] }) => ref?.commitments)).toEqual(['equal', undefined, 'not_comparable']);
    expect(await test.unattached()).toMatchObject([{ idempotency_key: 'other', reason: 'commitment_mismatch' }]);
  });
});

describe('an item that states no answer', () => {
  it('waits for its record, and is attached when that comes by the API', async () => {
    test = await openOtlpTest();
    await test.send(traces([span(1, keyOf('late'))]));
    await test.workOff();
    await test.runWaiting();
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ items: 0, waiting: 1 });
    await createByApi('late', 'q', 'a');
    await Promise.all([test.runWaiting(), test.runWaiting()]);
    const [record] = await test.listed();
    expect(record?.trace_refs).toMatchObject([{ span_id: '0000000000000001', commitments: 'absent' }]);
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ waiting: 0 });
    expect(await test.unattached()).toEqual([]);
  });

  it('is listed when it has waited in vain, and no longer when its record came after all and it was sent again', async () => {
    test = await openOtlpTest();
    for (let n = 0; n < 2; n++) {
      await test.send(traces([span(1, keyOf('never'))]));
      await test.workOff();
      test.clock.advance(901_000_000);
      await test.runWaiting();
    }
    expect(await test.unattached()).toMatchObject([{ reason: 'record_not_found', answer_log_id: null }]);
    await createByApi('never', 'q', 'a');
    await test.send(traces([span(1, keyOf('never'))]));
    await test.workOff();
    expect(await test.unattached()).toEqual([]);
    expect((await test.listed())[0]?.trace_refs.length).toBe(1);
  });
});

describe('a batch that nobody works off', () => {
  it('loses its texts after 30 days and is listed', async () => {
    test = await openOtlpTest();
    await test.send(traces([answerSpan(1, 'a')]));
    test.clock.advance(31 * 86_400_000_000);
    await test.runWaiting();
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ items: 1 });
    await test.owner.query(`delete from answer_evidence.outbox where topic = 'otlp.attach'`);
    await test.runWaiting();
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ items: 0 });
    expect(await test.unattached()).toMatchObject([{ reason: 'given_up', idempotency_key: 'a' }]);
    test.clock.advance(31 * 86_400_000_000);
    await test.runWaiting();
    expect(await test.unattached()).toEqual([]);
  });
});

describe('what was altered since it was accepted', () => {
  const flip = (column: string) => `set_byte(${column}, 40, get_byte(${column}, 40) # 1)`;

  it('is let go by its id, and holds up nothing beside it', async () => {
    test = await openOtlpTest();
    await test.send(traces([span(1, keyOf('altered')), span(2, keyOf('whole'))]));
    await test.workOff();
    const { rows } = await test.owner.query<{ id: string }>(
      `update answer_evidence.otlp_waiting set item = ${flip('item')} where idempotency_key = 'altered' returning id`,
    );
    await createByApi('whole', 'q', 'a');
    await test.send(traces([answerSpan(3, 'given up')]));
    const { rows: batches } = await test.owner.query<{ id: string }>(
      `update answer_evidence.otlp_inbox set items = ${flip('items')} returning id`,
    );
    await test.owner.query(`delete from answer_evidence.outbox where topic = 'otlp.attach'`);
    test.clock.advance(31 * 86_400_000_000);
    await expect(test.runWaiting()).rejects.toMatchObject({
      code: 'content_damaged',
      message: `items were altered since they were accepted, and dropped; send them again: waiting item ${rows[0]?.id}, batch ${batches[0]?.id} of 1 items`,
    });
    expect((await test.listed()).map(({ trace_refs: refs }) => refs.length)).toEqual([1]);
    expect(await test.otlp.backlog(test.workspace.id)).toMatchObject({ batches: 0, waiting: 0 });
    await test.runWaiting();
  });
});

describe('a record whose texts were altered', () => {
  it('holds up neither what waits for it nor what waits beside', async () => {
    test = await openOtlpTest({ answer_audit_keyed_hash_enabled: true });
    await test.send(
      traces([
        span(1, { ...keyOf('altered'), 'service.audit.question_text': 'q' }),
        span(2, { ...keyOf('whole'), 'service.audit.question_text': 'q' }),
      ]),
    );
    await test.workOff();
    const id = await createByApi('altered', 'q', 'a');
    await createByApi('whole', 'q', 'a');
    const swap = async () => {
      await test.owner.query(
        `update answer_evidence.sealed_contents set texts = set_byte(texts, 40, get_byte(texts, 40) # 1) where object_id = $1`,
        [id],
      );
    };
    await swap();
    await test.runWaiting();
    await swap();
    expect((await test.listed()).map(({ trace_refs: [ref] }) => ref?.commitments)).toEqual(['not_comparable', 'equal']);
    expect(await test.unattached()).toEqual([]);
  });
});

describe('a run that fails', () => {
  it.each([
    ['an error', new Error('away')],
    ['another value', 'away'],
  ])('with %s says so', async (_, thrown) => {
    test = await openOtlpTest({}, (_workspace, otlp) => ({
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      otlp: { ...otlp, findRipe: () => Promise.reject(thrown) },
    }));
    await test.send(traces([answerSpan(1, 'a')]));
    await test.owner.query(`delete from answer_evidence.outbox where topic = 'otlp.attach'`);
    test.clock.advance(31 * 86_400_000_000);
    await expect(test.runWaiting()).rejects.toBe(thrown);
    expect(await test.unattached()).toMatchObject([{ reason: 'given_up' }]);
  });
});
