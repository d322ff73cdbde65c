import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  completeRun,
  createRecord,
  createRun,
  openReconcileTest,
  readStream,
  type ReconcileTest,
  requestOf,
  RUNS,
  workOff,
} from '../fixtures/reconcile.ts';

let test: ReconcileTest;

beforeAll(async () => {
  test = await openReconcileTest();
});

afterAll(() => test.close());

/** Past the triggers that refuse it. */
async function damage(sql: string): Promise<void> {
  await test.owner(`set session_replication_role = replica; update answer_evidence.${sql}`);
}

/**
 * The code and the sentence of a refusal, also of a reply that fails while it is written; 'whole' when nothing fails.
 */
async function read(path: string, query: Record<string, string> = {}): Promise<unknown> {
  const reply = await test.call('GET', path, { as: test.manager, query });
  if (reply.status !== 200) return { code: reply.code, message: reply.detail };
  return readStream(reply).then(
    () => 'whole',
    (error: unknown) => error,
  );
}

const PARTS = ['', '/findings', '/findings?csv', '/findings?jsonl', '/records', '/proof'];

describe('a run whose rows are not what was written', () => {
  it.each<[string, (id: string) => string, readonly string[]]>([
    ['the run', (id) => `reconciliation_runs set window_end = window_end + 1 where id = '${id}'`, ['list', ...PARTS]],
    [
      'its entry, which is another run’s,',
      (id) =>
        `reconciliation_states set entry_id = (select max(entry_id::text)::uuid from answer_evidence.reconciliation_states
           where run_id <> '${id}') where run_id = '${id}'`,
      ['list', ...PARTS],
    ],
    [
      'a finding',
      (id) => `reconciliation_findings set detail_json = '{' where run_id = '${id}'`,
      ['/findings', '/findings?csv', '/findings?jsonl'],
    ],
    [
      'a record of its set',
      (id) => `reconciliation_records set record_id = gen_random_uuid() where run_id = '${id}'`,
      ['/records'],
    ],
  ])('is not shown, and is named: %s', async (environment, harm, broken) => {
    await createRecord(test, { environment, idempotency_key: environment });
    await completeRun(test, requestOf(test, ['lost'], { environment: 'another' }));
    const { id } = await completeRun(test, requestOf(test, ['lost'], { environment }));
    const readAll = async () => {
      const found: Record<string, unknown> = { list: await read(RUNS, { environment }) };
      for (const part of PARTS) {
        const [path, format] = part.split('?');
        found[part] = await read(`${RUNS}/${id}${path}`, format === undefined ? {} : { format });
      }
      return found;
    };
    const whole = Object.fromEntries(['list', ...PARTS].map((part) => [part, 'whole']));
    expect(await readAll()).toEqual(whole);
    await damage(harm(id));
    const refusal = expect.objectContaining({
      code: 'content_damaged',
      message: expect.stringMatching(new RegExp(`[Tt]he run ${id} is`)),
    });
    expect(await readAll()).toEqual({ ...whole, ...Object.fromEntries(broken.map((part) => [part, refusal])) });
  });

  it('fails as soon as its job is done, and says why', async () => {
    const { id } = await createRun(test, requestOf(test, ['one']));
    await damage(`reconciliation_references set reference_id = 'another' where run_id = '${id}'`);
    await expect(workOff(test, id)).rejects.toMatchObject({
      code: 'content_damaged',
      remedy: 'give-up',
      message: expect.stringContaining(`the references of the run ${id} differ from those that were sent`),
    });
  });
});
