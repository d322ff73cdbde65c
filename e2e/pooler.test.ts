import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { hasPgBouncer, openTestDatabase, startTestPgBouncer, type TestDatabase } from '@answer-evidence/testing';
import { startProcess } from '../tools/scenery/service-process.ts';

// Without PgBouncer (`apt-get install pgbouncer`) there is nothing to refuse; .ci/run installs it.
const describeWithPgBouncer = hasPgBouncer() ? describe : describe.skip;

/** Has a database give every session the settings that the service asks for, as some guides for poolers advise. */
const DEFAULTS = {
  lock_timeout: '2s',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '4s',
  synchronous_commit: 'on',
  search_path: 'answer_evidence',
  row_security: 'on',
};

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-pooler-'));
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The one line with which a start through PgBouncer is refused. */
async function refusalThrough(settings: Readonly<Record<string, string>>): Promise<string> {
  const bouncer = await startTestPgBouncer(database.url, settings);
  try {
    const service = startProcess({ dataDir: folder, environment: { DATABASE_URL: bouncer.url } });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.stderr).toHaveLength(1);
    const { port } = new URL(bouncer.url);
    return service.stderr[0]?.replace(`PostgreSQL at 127.0.0.1:${port}`, 'PostgreSQL') ?? '';
  } finally {
    await bouncer.close();
  }
}

const ADVICE = 'let DATABASE_URL lead to PostgreSQL itself';

describeWithPgBouncer('a start through PgBouncer is refused with the sentence that says what to change', () => {
  it.each(['session', 'transaction', 'statement'])(
    'in %s mode, where it refuses the settings of sessions',
    async (pool_mode) => {
      expect(await refusalThrough({ pool_mode })).toBe(
        `answer-evidence: PostgreSQL is a connection pooler that refuses the settings of a session; ${ADVICE}`,
      );
    },
  );

  it.each(['session', 'transaction'])('in %s mode, where it drops them', async (pool_mode) => {
    expect(await refusalThrough({ pool_mode, ignore_startup_parameters: 'options' })).toMatch(
      /^answer-evidence: PostgreSQL gives connections \w+ "[^"]+", not "[^"]+": something between .* \(PgBouncer\).*; let DATABASE_URL lead to PostgreSQL itself$/,
    );
  });

  it('in transaction mode, where it mixes sessions that have the right settings', async () => {
    const [row] = await query('select current_database() as name');
    for (const [name, value] of Object.entries(DEFAULTS))
      await query(`alter database ${String(row?.['name'])} set ${name} = '${value}'`);
    expect(await refusalThrough({ pool_mode: 'transaction', ignore_startup_parameters: 'options' })).toMatch(
      /^answer-evidence: PostgreSQL gives one connection several sessions in turn: .*; let DATABASE_URL lead/,
    );
  });

  it('and leaves the database as it was', async () => {
    expect(await query('select from answer_evidence.installation')).toEqual([]);
  });
});
