import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRunRequest, reconciliationRun, REFERENCES_MAX } from '@answer-evidence/contracts';
import { JSON_SMALL_LENGTH, parseSubmittedJson, utf8 } from '@answer-evidence/encoding';
import { openReconcileTest, type ReconcileTest, requestOf, RUNS } from '../../fixtures/reconcile.ts';

let test: ReconcileTest;

beforeAll(async () => {
  test = await openReconcileTest();
});

afterAll(() => test.close());

const rowsOf = async (table: string) =>
  Number((await test.owner(`select count(*)::int as n from answer_evidence.${table}`))[0]?.n);

describe('POST /api/reconciliations/runs', () => {
  it('keeps the run, its references and its job, and says that it is queued', async () => {
    const body = requestOf(test, ['one', 'two', 'two']);
    const reply = await test.call('POST', RUNS, { as: test.reconciler, body });
    expect(reply.status).toBe(202);
    const run = reconciliationRun.parse(reply.body);
    expect(run).toMatchObject({
      status: 'queued',
      progress: 0,
      environment: 'production',
      max_lateness_seconds: 300,
      references: 3,
      created_by: { kind: 'application', id: 'support-bot' },
      counts: null,
      checkpoint: null,
      completed_at: null,
    });
    expect(await test.owner(`select topic, subject from answer_evidence.outbox`)).toEqual([
      { topic: 'reconcile.run', subject: run.id },
    ]);
    expect(await rowsOf('reconciliation_references')).toBe(3);
    expect((await test.call('GET', `${RUNS}/${run.id}`, { as: test.reconciler })).body).toEqual(run);
  });

  it('is read, however many references it has and however much each says', () => {
    const hash = `sha256:${'a'.repeat(64)}`;
    const body = requestOf(test, []);
    const references = Array.from({ length: REFERENCES_MAX }, (_, n) => ({
      reference_id: `message ${n} `.padEnd(256, '.'),
      occurred_at: body.window_start,
      question_hash: hash,
      answer_hash: hash,
    }));
    const text = JSON.stringify({ ...body, references });
    expect(text.length).toBeGreaterThan(JSON_SMALL_LENGTH);
    expect(createRunRequest.parse(parseSubmittedJson(utf8(text))).references).toHaveLength(REFERENCES_MAX);
  });

  it('makes one run of a repeated request with an Idempotency-Key, also of two at once', async () => {
    const before = await rowsOf('reconciliation_runs');
    const call = { as: test.manager, body: requestOf(test, ['one']), headers: { 'idempotency-key': 'nightly' } };
    const replies = await Promise.all([test.call('POST', RUNS, call), test.call('POST', RUNS, call)]);
    const again = await test.call('POST', RUNS, call);
    expect(new Set([...replies, again].map(({ body }) => reconciliationRun.parse(body).id)).size).toBe(1);
    expect(again.headers).toEqual({ Location: replies[0].headers?.Location, 'Idempotency-Replayed': 'true' });
    const inOtherWords = await test.call('POST', RUNS, { ...call, body: { ...call.body, environment: 'production' } });
    expect(inOtherWords).toMatchObject({ status: 202, body: { id: reconciliationRun.parse(again.body).id } });
    const another = await test.call('POST', RUNS, { ...call, body: requestOf(test, ['two']) });
    expect(another).toMatchObject({ status: 409, code: 'idempotency_payload_mismatch' });
    expect(await rowsOf('reconciliation_runs')).toBe(before + 1);
  });
});
