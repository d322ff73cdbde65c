import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { WorkKind, WorkQuestion } from '@answer-evidence/ports';
import { prepareAnswer } from '../fixtures/answers.ts';
import { openTestOutbox, type TestOutbox } from '../fixtures/open-outbox.ts';
import { openPool } from './pool.ts';
import { ServerWatch } from './server-watch.ts';
import { WorkQuestions } from './work-questions.ts';
import { WORK } from './work-statements.ts';

const KINDS = Object.keys(WORK) as readonly WorkKind[];
let box: TestOutbox;
let pool: pg.Pool;
let work: WorkQuestions;

function openRelayPool(): pg.Pool {
  return openPool({
    url: box.log.logins.answer_evidence_relay,
    role: 'answer_evidence_relay',
    connectionsMax: 1,
    onError: () => undefined,
  });
}

beforeAll(async () => {
  box = await openTestOutbox();
  pool = openRelayPool();
  work = new WorkQuestions();
});
afterAll(async () => {
  await pool.end();
  await box.close();
});

/** The answers to these questions, each asked by somebody else, to one statement. */
async function ask(...questions: readonly WorkQuestion[]): Promise<readonly boolean[]> {
  const asked = questions.map((question) => work.ask([question]));
  await new ServerWatch().ask(pool, work);
  return Promise.all(asked);
}

describe('questions after work', () => {
  it('are answered together, each kind by itself, also where nobody asks', async () => {
    await new ServerWatch().ask(pool, work);
    const none = KINDS.filter((kind) => !['unpublished', 'uncounted', 'grown'].includes(kind));
    expect(await ask(...none.map((kind) => ({ kind, micros: 0 })))).toEqual(none.map(() => false));
    const { log } = box;
    await log
      .openLedger()
      .append(log.workspace.id, prepareAnswer(log, { question: 'one', key: 'one', onId: () => undefined }));
    expect(await ask({ kind: 'unpublished' }, { kind: 'uncounted' }, { kind: 'untold' })).toEqual([true, true, false]);
  });

  it('say whether jobs are due, lost, or put off, by the time of each question', async () => {
    await box.ask();
    const { now } = box;
    expect(await ask({ kind: 'jobs-due', micros: now - 1 }, { kind: 'jobs-put-off', micros: now })).toEqual([
      false,
      false,
    ]);
    expect(await ask({ kind: 'jobs-due', micros: now }, { kind: 'jobs-put-off', micros: now - 1 })).toEqual([
      true,
      true,
    ]);
    await box.dispatch();
    expect(await ask({ kind: 'jobs-due', micros: now }, { kind: 'jobs-lost', micros: now + 1 })).toEqual([false, true]);
    expect(await ask({ kind: 'jobs-lost', micros: now })).toEqual([false]);
  });

  it('of one kind with two times get the answer for the later one', async () => {
    expect(await ask({ kind: 'jobs-lost', micros: 0 }, { kind: 'jobs-lost', micros: box.now + 1 })).toEqual([
      true,
      true,
    ]);
  });

  it('fail together as a database that is unavailable', async () => {
    const ended = openRelayPool();
    await ended.end();
    const asked = [work.ask([{ kind: 'untold' }]), work.ask([{ kind: 'uncounted' }])];
    const failed = Promise.allSettled(asked);
    await expect(new ServerWatch().ask(ended, work)).rejects.toThrow();
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('that nobody will answer any more have found nothing', async () => {
    const ending = new WorkQuestions();
    const asked = ending.ask([{ kind: 'untold' }]);
    ending.end();
    expect(await Promise.all([asked, ending.ask([{ kind: 'untold' }])])).toEqual([false, false]);
  });
});
