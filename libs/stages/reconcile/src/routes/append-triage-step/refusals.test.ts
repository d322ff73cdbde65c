import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TRIAGE_TEXT_MAX } from '@answer-evidence/contracts';
import { createRun, NO_ID, requestOf, RUNS } from '../../fixtures/reconcile.ts';
import { openTriageTest, readFinding, takeStep, type TriageTest } from '../../fixtures/triage.ts';

let test: TriageTest;

beforeAll(async () => {
  test = await openTriageTest();
  await takeStep(test, 0, { action: 'comment', text: 'the first' });
  await takeStep(test, 1, { action: 'resolve', resolution: 'accepted' });
});

afterAll(() => test.close());

const send = (path: string, body: object, more: object = {}) =>
  test.call('POST', path, { as: test.manager, body, ...more });

describe('POST /api/reconciliations/runs/{run_id}/triage/{position}/steps', () => {
  it.each([
    ['no member', { action: 'assign', assignee_id: NO_ID }, '/assignee_id'],
    ['no text', { action: 'comment' }, '/text'],
    ['an empty text', { action: 'comment', text: ' \n' }, '/text'],
    ['a text that shows nothing', { action: 'comment', text: '\u200b\u00a0\u2060\u3164' }, '/text'],
    ['a long text', { action: 'comment', text: 'x'.repeat(TRIAGE_TEXT_MAX + 1) }, '/text'],
    ['no resolution', { action: 'resolve' }, '/resolution'],
    ['an invented resolution', { action: 'resolve', resolution: 'gone' }, '/resolution'],
    ['no such action', { action: 'delete' }, '/action'],
    ['what belongs to another action', { action: 'reopen', resolution: 'other' }, '/resolution'],
    ['a step without a text', { action: 'erase', erases: 7 }, '/erases'],
    ['no time', { action: 'schedule' }, '/due_at'],
    ['a day', { action: 'schedule', due_at: '2099-12-05' }, '/due_at'],
    ['a day that does not exist', { action: 'schedule', due_at: '2027-02-30T00:00:00Z' }, '/due_at'],
    ['a time before the run', { action: 'schedule', due_at: '1999-12-05T00:00:00Z' }, '/due_at'],
    ['a time that nobody sees', { action: 'assign', assignee_id: null, due_at: '2199-01-01T00:00:00Z' }, '/due_at'],
    ['a time for what is due at none', { action: 'comment', text: 'x', due_at: null }, '/due_at'],
  ])('answers 422 to %s, with its place', async (_, body, pointer) => {
    const reply = await send(`${test.path}/0/steps`, body);
    expect(reply).toMatchObject({ status: 422, code: 'schema_violation' });
    expect(reply.errors?.map((one) => one.pointer)).toContain(pointer);
    expect((await readFinding(test, 0)).triage.version).toBe(1);
  });

  it('answers 412 and 409 to another version than the current one', async () => {
    const body = { action: 'comment', text: 'late' };
    expect(await send(`${test.path}/0/steps`, body, { headers: { 'if-match': '"t0"' } })).toMatchObject({
      status: 412,
      code: 'precondition_failed',
    });
    expect(await send(`${test.path}/0/steps`, { ...body, version: 0 })).toMatchObject({
      status: 409,
      code: 'version_conflict',
    });
    expect((await readFinding(test, 0)).triage.version).toBe(1);
  });

  it('answers 409 where the state does not permit the step', async () => {
    expect(await send(`${test.path}/1/steps`, { action: 'resolve', resolution: 'other' })).toMatchObject({
      status: 409,
      code: 'transition_not_allowed',
    });
  });

  it('answers 403 to a member who erases what others wrote', async () => {
    const body = { action: 'erase', erases: 1 };
    expect(await send(`${test.path}/0/steps`, body, { as: test.member })).toMatchObject({
      status: 403,
      code: 'role_not_allowed',
    });
  });

  it('answers 404 to a finding or a run that is not there, and 409 before the run is completed', async () => {
    const body = { action: 'comment', text: 'x' };
    for (const path of [`${test.path}/3`, `${test.path}/x`, `${test.path}/-1`, `${RUNS}/${NO_ID}/triage/0`]) {
      expect(await send(`${path}/steps`, body)).toMatchObject({ status: 404, code: 'not_found' });
      expect(await test.call('GET', path, { as: test.manager })).toMatchObject({ status: 404, code: 'not_found' });
    }
    const { id } = await createRun(test, requestOf(test, ['one']));
    for (const path of [`${RUNS}/${id}/triage`, `${RUNS}/${id}/triage/0`])
      expect(await test.call('GET', path, { as: test.manager })).toMatchObject({
        status: 409,
        code: 'run_not_completed',
      });
  });
});
