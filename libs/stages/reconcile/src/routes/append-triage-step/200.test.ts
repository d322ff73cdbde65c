import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TriageStepRequest } from '@answer-evidence/contracts';
import { DAY_MICROS } from '@answer-evidence/testing';
import { readStream, RUNS } from '../../fixtures/reconcile.ts';
import { openTriageTest, readFinding, takeStep, type TriageTest } from '../../fixtures/triage.ts';

let test: TriageTest;

beforeAll(async () => {
  test = await openTriageTest();
});

afterAll(() => test.close());

const findings = async () =>
  readStream(
    await test.call('GET', `${RUNS}/${test.runId}/findings`, { as: test.manager, query: { format: 'jsonl' } }),
  );

describe('POST /api/reconciliations/runs/{run_id}/triage/{position}/steps', () => {
  it('keeps every step with who took it, and shows where the finding stands', async () => {
    const before = await findings();
    const checked = await test.checkLedger();
    const { manager, member } = test;
    const max = { id: member.userId, username: 'max' };
    const mia = { id: manager.userId, username: 'mia' };
    expect((await readFinding(test, 0)).triage).toEqual({
      state: 'open',
      assignee: null,
      resolution: null,
      due_at: null,
      version: 0,
      changed_at: null,
    });
    await takeStep(test, 0, { action: 'assign', assignee_id: max.id });
    await takeStep(test, 0, { action: 'comment', text: 'The queue was full.' }, member);
    const body: TriageStepRequest = { action: 'resolve', resolution: 'cause_fixed', text: 'Larger queue.', version: 2 };
    await takeStep(test, 0, body, member);
    const reopened = await takeStep(test, 0, { action: 'reopen' });
    expect(reopened).toMatchObject({
      position: 0,
      finding: { type: 'missing_service', reference_id: 'a' },
      triage: { state: 'open', assignee: max, resolution: null, version: 4 },
    });
    const kept = { text_state: 'stored', erases: null };
    const none = { text: null, text_state: null, text_until: null, erases: null };
    expect(reopened.steps).toMatchObject([
      { version: 1, action: 'assign', by: mia, assignee: max, resolution: null, ...none },
      { version: 2, action: 'comment', by: max, text: 'The queue was full.', ...kept },
      { version: 3, action: 'resolve', by: max, resolution: 'cause_fixed', text: 'Larger queue.', ...kept },
      { version: 4, action: 'reopen', by: mia, resolution: null, ...none },
    ]);
    const [, { text_until: until, at } = { text_until: null, at: '' }] = reopened.steps;
    expect((Date.parse(until ?? '') - Date.parse(at)) * 1000).toBe(365 * DAY_MICROS);
    expect(await findings()).toBe(before);
    expect(await test.checkLedger()).toEqual(checked);
  });

  it('erases a text for good, and says that it did', async () => {
    await takeStep(test, 1, { action: 'comment', text: 'Called 555-0100.' });
    const { steps } = await takeStep(test, 1, { action: 'erase', erases: 1 });
    expect(steps).toMatchObject([
      { version: 1, text: null, text_state: 'erased' },
      { version: 2, action: 'erase', erases: 1, text_state: null },
    ]);
    const left = await test.owner(
      `select from answer_evidence.triage_texts where run_id = '${test.runId}' and position = 1`,
    );
    expect(left).toEqual([]);
    const twice = await test.call('POST', `${test.path}/1/steps`, {
      as: test.manager,
      body: { action: 'erase', erases: 1 },
    });
    expect(twice).toMatchObject({ status: 422, errors: [{ pointer: '/erases' }] });
  });

  it('lets nobody read a text in the database', async () => {
    await takeStep(test, 2, { action: 'comment', text: 'a very secret comment' });
    const rows = await test.owner(`select t::text, s::text from answer_evidence.triage_texts t
      join answer_evidence.triage_steps s using (workspace_id, run_id, position, version)`);
    expect(rows.length).toBeGreaterThan(0);
    const hex = Buffer.from('secret').toString('hex');
    for (const row of rows) expect(JSON.stringify(row)).not.toMatch(new RegExp(`secret|${hex}`));
  });

  it('counts each of many steps at once as one, and loses none', async () => {
    const texts = Array.from({ length: 4 }, (_, n) => `at once ${n}`);
    const replies = await Promise.all(
      texts.map((text) =>
        test.call('POST', `${test.path}/2/steps`, { as: test.manager, body: { action: 'comment', text } }),
      ),
    );
    const done = texts.filter((_, n) => replies[n]?.status === 200);
    const { steps, triage } = await readFinding(test, 2);
    expect(triage.version).toBe(steps.length);
    expect(steps.flatMap(({ text }) => (text?.startsWith('at once') === true ? [text] : [])).sort()).toEqual(done);
    for (const { status } of replies) expect([200, 503]).toContain(status);
  });

  it('with the version that was read happens once, however often it is sent', async () => {
    const { version } = (await readFinding(test, 2)).triage;
    const body = { action: 'comment', text: 'once', version };
    const replies = await Promise.all(
      [1, 2, 3].map(() => test.call('POST', `${test.path}/2/steps`, { as: test.manager, body })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});
