import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, openTestLogins, type TestDatabase } from '@answer-evidence/testing';
import type { DatabaseRole } from './assert-session.ts';
import { SERVICE_ROLES, type ServiceUrls } from './logins.ts';
import { openPool } from './pool.ts';
import { countServiceConnections } from './service-connections.ts';

let database: TestDatabase;
let logins: ServiceUrls;
beforeAll(async () => {
  database = await openTestDatabase();
  logins = await openTestLogins(database.url);
});
afterAll(() => database.close());

/** What the one connection of a pool says to the last of some statements. */
async function ask(url: string, role: DatabaseRole, ...statements: readonly string[]): Promise<unknown> {
  const pool = openPool({ url, role, connectionsMax: 1, onError: () => undefined });
  try {
    let row: unknown;
    for (const sql of statements) [row] = (await pool.query<Record<string, unknown>>(sql)).rows;
    return row;
  } finally {
    await pool.end();
  }
}

async function asOwner(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** What a login is called, for statements about it. */
function nameOf(role: keyof ServiceUrls): string {
  return new URL(logins[role]).searchParams.get('user') ?? '';
}

describe('a pool', () => {
  it('has its settings and its name whatever the URL asks for, and what the URL asks for besides', async () => {
    const url = new URL(logins.answer_evidence_app);
    url.searchParams.set('options', '-c work_mem=5MB -c statement_timeout=0 -c row_security=off');
    url.searchParams.set('application_name', 'somebody else');
    const onError = () => undefined;
    const pool = openPool({ url: url.href, role: 'answer_evidence_app', connectionsMax: 1, onError });
    const names = ['statement_timeout', 'search_path', 'row_security', 'work_mem', 'application_name'];
    const { rows } = await pool.query<Record<string, string>>(
      `select current_user as "user", ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
    );
    expect(rows).toEqual([
      {
        user: nameOf('answer_evidence_app'),
        statement_timeout: '10s',
        search_path: 'answer_evidence',
        row_security: 'on',
        work_mem: '5MB',
        application_name: 'answer-evidence',
      },
    ]);
    expect(await countServiceConnections(database.url)).toBe(1);
    await pool.end();
  });

  it.each([
    ['are durable, for what is recorded', 'answer_evidence_app', 'on'],
    ['do not wait for the disk, for the relay', 'answer_evidence_relay', 'off'],
  ] as const)('has commits that %s', async (_what, role, expected) => {
    expect(await ask(logins[role], role, 'show synchronous_commit')).toEqual({ synchronous_commit: expected });
  });

  it.each(SERVICE_ROLES)('of %s gains nothing by any change of its role', async (role) => {
    for (const change of ['set role none', 'reset role', 'reset session authorization', 'reset all'])
      expect(await ask(logins[role], role, change, 'select current_user as login')).toEqual({ login: nameOf(role) });
    for (const refused of [
      'set role postgres',
      'set session authorization postgres',
      `set role ${SERVICE_ROLES.find((other) => other !== role) ?? ''}`,
      'delete from answer_evidence.ledger_leaves',
      'drop table answer_evidence.ledger_leaves',
      'alter table answer_evidence.outbox disable row level security',
      `alter role ${nameOf(role)} createrole`,
      `select pg_read_file('PG_VERSION')`,
    ])
      await expect(ask(logins[role], role, refused)).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    ['to make roles', 'createrole'],
    ['to pass row-level security', 'bypassrls'],
    ['to replicate', 'replication'],
    ['to everything', 'superuser'],
  ])('refuses a login that was given the right %s', async (_what, right) => {
    const { answer_evidence_app: url } = logins;
    await asOwner(`alter role ${nameOf('answer_evidence_app')} ${right}`);
    await expect(ask(url, 'answer_evidence_app', 'select 1')).rejects.toThrow(
      /more rights than those of answer_evidence_app/,
    );
    await asOwner(`alter role ${nameOf('answer_evidence_app')} no${right}`);
    expect(await ask(url, 'answer_evidence_app', 'select 1 as one')).toEqual({ one: 1 });
  });

  it("refuses a login without its role, with that of another, or with the owner's", async () => {
    const app = nameOf('answer_evidence_app');
    await expect(ask(logins.answer_evidence_relay, 'answer_evidence_app', 'select 1')).rejects.toThrow(
      /makes the service's login another user "answer_evidence_relay_\d+"/,
    );
    await expect(ask(database.url, 'answer_evidence_app', 'select 1')).rejects.toThrow(/another user "postgres"/);
    await asOwner(`revoke answer_evidence_app from ${app}`);
    await expect(ask(logins.answer_evidence_app, 'answer_evidence_app', 'select 1')).rejects.toThrow(
      `has no membership of "${app}" in answer_evidence_app; run: grant answer_evidence_app to "${app}"`,
    );
    await asOwner(`grant answer_evidence_app to ${app}`);
    await asOwner(`grant postgres to ${app}`);
    await expect(ask(logins.answer_evidence_app, 'answer_evidence_app', 'select 1')).rejects.toThrow(/more rights/);
    await asOwner(`revoke postgres from ${app}`);
    expect(await ask(logins.answer_evidence_app, 'answer_evidence_app', 'select 1 as one')).toEqual({ one: 1 });
  });
});
