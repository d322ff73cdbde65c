import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTriageTest, takeStep, type TriageTest } from '../fixtures/triage.ts';

let test: TriageTest;

beforeAll(async () => {
  test = await openTriageTest(['a', 'b', 'c', 'd', 'e', 'f']);
  for (const position of [0, 1, 2, 3, 4, 5])
    for (const text of ['first', 'second']) await takeStep(test, position, { action: 'comment', text });
  await takeStep(test, 5, { action: 'schedule', due_at: '2030-12-05T23:59:59Z' });
});

afterAll(() => test.close());

describe('the work on a finding whose rows are not what was written', () => {
  it.each<[string, number, string]>([
    ['a step', 0, `update answer_evidence.triage_steps set state = 'resolved' where position = 0 and version = 2`],
    ['a step that is gone', 1, 'delete from answer_evidence.triage_steps where position = 1 and version = 1'],
    ['a time of what is due at none', 4, `update answer_evidence.triage_steps set due_at = 1 where position = 4`],
    ['no time of what is due', 5, `update answer_evidence.triage_steps set due_at = null where position = 5`],
    [
      'the text of another step',
      2,
      `update answer_evidence.triage_texts t set text = o.text, wrapped_key = o.wrapped_key
         from answer_evidence.triage_texts o
         where t.position = 2 and t.version = 1 and o.position = 2 and o.version = 2`,
    ],
  ])('is not shown, and its run is named: %s', async (_, position, sql) => {
    const read = (at: number) => test.call('GET', `${test.path}/${at}`, { as: test.manager });
    expect(await read(position)).toMatchObject({ status: 200 });
    await test.owner(`set session_replication_role = replica; ${sql}`);
    expect(await read(position)).toMatchObject({
      status: 500,
      code: 'content_damaged',
      detail: expect.stringContaining(`a finding of the run ${test.runId} is not what was written`),
    });
    expect(await read(3)).toMatchObject({ status: 200 });
  });

  it('is named by the ledger check where a step was altered', async () => {
    const { outcome, findings } = await test.checkLedger();
    expect(outcome).toBe('FAIL');
    expect(JSON.stringify(findings)).toContain('triage_steps');
  });
});
