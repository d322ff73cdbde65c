import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';
import { createWorkspace, SlugTakenError } from './create-workspace.ts';

let log: TestLog;
beforeAll(async () => {
  log = await openTestLog();
});
afterAll(() => log.close());

/** What was called for a workspace of this slug, and whether it is there. */
async function create(slug: string, onNamed: () => Promise<void>) {
  const calls: string[] = [];
  let id = '';
  const failure = await createWorkspace(
    log.pool,
    {
      ...log,
      async onNamed(named) {
        ({ id } = named);
        calls.push('named');
        await onNamed();
      },
      onRefused(named) {
        calls.push(named.id === id ? 'refused' : 'refused another');
        return Promise.resolve();
      },
    },
    { slug, displayName: slug, host: 'log.example', member: { username: 'max', role: 'manager' } },
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
  const { rows } = await log.owner.query('select from answer_evidence.workspaces where slug = $1', [slug]);
  return { calls, failure, isMade: rows.length > 0 };
}

describe('a workspace that is refused', () => {
  it('is not named outside when its slug is taken', async () => {
    const { calls, failure } = await create('acme', () => Promise.resolve());
    expect([calls, failure]).toEqual([[], expect.any(SlugTakenError)]);
  });

  it('is taken back when it cannot be named', async () => {
    const { calls, isMade } = await create('unnamed', () => Promise.reject(new Error('the place is full')));
    expect([calls, isMade]).toEqual([['named', 'refused'], false]);
  });

  it('is taken back when its connection is lost before the commit', async () => {
    const { calls, isMade } = await create('lost', async () => {
      await log.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and state = 'idle in transaction'`,
      );
    });
    expect([calls, isMade]).toEqual([['named', 'refused'], false]);
  });

  it('leaves the count of workspaces as it was, so that the next one is made', async () => {
    const { calls, isMade, failure } = await create('next', () => Promise.resolve());
    expect([calls, isMade, failure]).toEqual([['named'], true, undefined]);
  });
});

describe('a log of a new workspace', () => {
  it('gets another name than a log that was lost a moment ago', async () => {
    // A clock that stands, so both ids begin alike.
    const origins: string[] = [];
    for (const slug of ['twice', 'once-more'])
      await createWorkspace(
        log.pool,
        {
          ...log,
          usedOrigins: origins.map((origin) => origin.replace('twice', slug)),
          onNamed({ origin }) {
            origins.push(origin);
            return Promise.resolve();
          },
        },
        { slug, displayName: slug, host: 'log.example', member: { username: 'max', role: 'manager' } },
      );
    const [first, second] = origins.map((origin) => origin.split('/').at(-1) ?? '');
    expect(second).not.toBe(first);
    expect(Number.parseInt(second ?? '', 16) - Number.parseInt(first ?? '', 16)).toBe(1);
  });
});
