import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { PatientPool } from './patient-pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function open(patienceMs: number): PatientPool {
  return new PatientPool({ connectionString: database.url, max: 3, firstMax: 1, patienceMs });
}

describe('a patient pool', () => {
  it('answers many questions of one moment over its first connection', async () => {
    const pool = open(600_000);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => pool.query(`select ${n} as n`)));
    expect(answers.map(({ rows }) => (rows as unknown[])[0])).toEqual(answers.map((_, n) => ({ n })));
    expect(pool.totalCount).toBe(1);
    await pool.end();
  });

  it('opens another connection when somebody has waited, until there are as many as there may be', async () => {
    const pool = open(1);
    const held = [await pool.connect(), await pool.connect(), await pool.connect()];
    expect(pool.totalCount).toBe(3);
    const waiting = pool.query('select 1 as one');
    expect(pool.waitingCount).toBe(1);
    held.pop()?.release();
    expect((await waiting).rows).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(3);
    for (const client of held) client.release();
    await pool.end();
  });

  it('tells everyone who waits where no connection can be opened', async () => {
    const url = new URL(database.url);
    url.pathname = '/there_is_no_such_database';
    const pool = new PatientPool({ connectionString: url.href, max: 3, firstMax: 1, patienceMs: 1 });
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => pool.query('select 1')));
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
    await pool.end();
  });
});
