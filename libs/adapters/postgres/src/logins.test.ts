import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, startTestPostgres, type TestDatabase, type TestPostgres } from '@answer-evidence/testing';
import { DatabaseSetupError } from './database-setup-error.ts';
import { explainMissingRoles, openLogins, readServiceUrls, SERVICE_ROLES, type ServiceUrls } from './logins.ts';
import { migrate } from './migrate.ts';
import { openPool } from './pool.ts';

const PASSWORD = 'of the owner';
/** Of those who make logins. */
const LOCK_KEY = 4_171_930_020;

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.close());

async function run(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A database of an owner with these attributes; the URL is the owner's. */
async function createOwned(attributes: string): Promise<{ readonly url: string; readonly adminUrl: string }> {
  const name = `owned_${randomBytes(6).toString('hex')}`;
  await run(server.url, `create role ${name} login password '${PASSWORD}' ${attributes}`);
  await run(server.url, `create database ${name} owner ${name}`);
  const adminUrl = new URL(server.url);
  adminUrl.pathname = `/${name}`;
  const url = new URL(adminUrl);
  url.username = name;
  url.password = PASSWORD;
  return { url: url.href, adminUrl: adminUrl.href };
}

const passwordOf =
  (key: string) =>
  (login: string): string =>
    `${key} ${login}`;

async function open(url: string, key = 'one key'): Promise<ServiceUrls> {
  const owner = openPool({ url, role: 'owner', connectionsMax: 1, onError: () => undefined });
  try {
    return await openLogins(url, owner, passwordOf(key));
  } finally {
    await owner.end();
  }
}

/** Reads through a pool of the role, which looks at its connections. */
async function countWorkspaces(logins: ServiceUrls): Promise<unknown> {
  const { answer_evidence_app: url } = logins;
  const pool = openPool({ url, role: 'answer_evidence_app', connectionsMax: 1, onError: () => undefined });
  try {
    return (await pool.query<{ n: number }>('select count(*) as n from workspaces')).rows[0]?.n;
  } finally {
    await pool.end();
  }
}

/** Until a session waits for an advisory lock in the database of this one. */
async function untilSomebodyWaits(client: pg.Client): Promise<void> {
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  while ((await client.query(waiting)).rows.length === 0) await new Promise(setImmediate);
}

/** The statements that an error tells an administrator to run. */
function statementsOf(error: unknown): string {
  expect(error).toBeInstanceOf(DatabaseSetupError);
  return /then start again: (.+)$/.exec(String(error))?.[1] ?? '';
}

describe('the logins of a database', () => {
  it('are made by an owner who may, once for all who start together, and open nothing by another password', async () => {
    const { url } = await createOwned('createrole');
    await migrate(url);
    const [logins, ...others] = await Promise.all(Array.from({ length: 4 }, () => open(url)));
    for (const other of others) expect(other).toEqual(logins);
    expect(await countWorkspaces(logins!)).toBe(0);
    const wrong = new URL(logins!.answer_evidence_app);
    wrong.searchParams.set('password', 'another');
    await expect(run(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(await run(server.url, `select from pg_authid where rolpassword like '%one key%'`)).toEqual([]);
  });

  it('are waited for longer than any other lock, and by nobody who has them', async () => {
    const { adminUrl, url } = await createOwned('superuser');
    await migrate(url);
    const other = new pg.Client({ connectionString: adminUrl });
    await other.connect();
    await other.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const owner = openPool({ url, role: 'owner', connectionsMax: 1, onError: () => undefined });
    owner.on('connect', (client) => void client.query(`set lock_timeout = '20ms'`));
    try {
      const opening = openLogins(url, owner, passwordOf('one key'));
      // What it comes to counts below.
      opening.catch(() => undefined);
      await untilSomebodyWaits(other);
      // Longer than the limit of the waiting session.
      await other.query('select pg_sleep(0.1)');
      await other.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
      const logins = await opening;

      await other.query('select pg_advisory_lock($1)', [LOCK_KEY]);
      expect(await openLogins(url, owner, passwordOf('one key'))).toEqual(logins);
    } finally {
      await owner.end();
      await other.end();
    }
  });

  it('get the passwords of the master key that is in force', async () => {
    const { url } = await createOwned('superuser');
    await migrate(url);
    const before = await open(url, 'one key');
    const after = await open(url, 'the next key');
    expect(await countWorkspaces(after)).toBe(0);
    await expect(run(before.answer_evidence_app, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('are tried over connections that the caller keeps, as soon as they are made', async () => {
    const { url } = await createOwned('superuser');
    await migrate(url);
    const owner = openPool({ url, role: 'owner', connectionsMax: 1, onError: () => undefined });
    const tried: string[] = [];
    const openWith = (key: string) =>
      openLogins(url, owner, passwordOf(key), async (role) => {
        tried.push(role);
        await run((await readServiceUrls(url, owner, passwordOf(key)))[role], 'select 1');
      });
    try {
      const made = await openWith('one key');
      expect(tried.splice(0)).toEqual(SERVICE_ROLES);
      expect(await openWith('one key')).toEqual(made);
      expect(tried.splice(0)).toEqual(SERVICE_ROLES);
      // Refused, and then made with the new password.
      expect(await countWorkspaces(await openWith('the next key'))).toBe(0);
      expect(tried.splice(0)).toEqual(['answer_evidence_app', ...SERVICE_ROLES]);
      const away = () => Promise.reject(new Error('the server is unavailable'));
      await expect(openLogins(url, owner, passwordOf('the next key'), away)).rejects.toThrow('unavailable');
    } finally {
      await owner.end();
    }
  });

  it('are made again where the service of another database of the server was making its own', async () => {
    const { url } = await createOwned('superuser');
    await migrate(url);
    const owner = openPool({ url, role: 'owner', connectionsMax: 1, onError: () => undefined });
    const met: string[] = [];
    owner.on('connect', (client) => {
      const query = client.query.bind(client);
      client.query = ((sql: string, ...more: unknown[]) => {
        if (met.length === 2 || !sql.startsWith('create role'))
          return (query as (...args: unknown[]) => unknown)(sql, ...more);
        met.push(sql);
        return Promise.reject(Object.assign(new pg.DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' }));
      }) as typeof client.query;
    });
    try {
      expect(await countWorkspaces(await openLogins(url, owner, passwordOf('one key')))).toBe(0);
      expect(met).toHaveLength(2);
    } finally {
      await owner.end();
    }
  });

  it('of two installations on one server differ', async () => {
    const [one, other] = [await createOwned('superuser'), await createOwned('superuser')];
    for (const { url } of [one, other]) await migrate(url);
    const [logins, otherLogins] = [await open(one.url, 'a'), await open(other.url, 'b')];
    expect([await countWorkspaces(logins), await countWorkspaces(otherLogins)]).toEqual([0, 0]);
  });

  it('are what an administrator is told to make for an owner who may make none, before the first migration', async () => {
    const fresh = await startTestPostgres();
    try {
      const name = 'plain_owner';
      await run(fresh.url, `create role ${name} login password '${PASSWORD}'`);
      await run(fresh.url, `create database ${name} owner ${name}`);
      const url = new URL(fresh.url);
      url.username = name;
      url.password = PASSWORD;
      url.pathname = `/${name}`;
      await expect(migrate(url.href)).rejects.toMatchObject({ code: '42501' });
      const owner = openPool({ url: url.href, role: 'owner', connectionsMax: 1, onError: () => undefined });
      const explained = await explainMissingRoles(url.href, owner, passwordOf('one key'));
      await owner.end();
      expect(String(explained)).not.toContain('one key');
      await run(fresh.url, statementsOf(explained));
      expect(await migrate(url.href)).toContain('0001_ledger.sql');
      expect(await countWorkspaces(await open(url.href))).toBe(0);
    } finally {
      await fresh.close();
    }
  });

  it('are what an administrator is told to make for an owner who may no longer, or not in this cluster', async () => {
    const once = await createOwned('createrole');
    await migrate(once.url);
    const { username } = new URL(once.url);
    await run(server.url, `alter role ${username} nocreaterole`);
    const second = await createOwned('createrole');
    await migrate(second.url);
    for (const { url, adminUrl } of [once, second]) {
      const error: unknown = await open(url).catch((thrown: unknown) => thrown);
      // The first owner to make them may also grant them; the next one may not, though it can make roles of its own.
      if (error instanceof Error) await run(adminUrl, statementsOf(error));
      expect(await countWorkspaces(await open(url))).toBe(0);
    }
    await run(server.url, `alter role ${new URL(second.url).username} nocreaterole`);
    const changed: unknown = await open(second.url, 'the next key').catch((thrown: unknown) => thrown);
    expect(statementsOf(changed)).toMatch(/^alter role answer_evidence_app_\d+ login password 'SCRAM-SHA-256\$/);
    await run(second.adminUrl, statementsOf(changed));
    expect(await countWorkspaces(await open(second.url, 'the next key'))).toBe(0);
  });

  it('are asked about no more than that: another refusal of a migration is not explained by them', async () => {
    const database: TestDatabase = await openTestDatabase();
    const owner = openPool({ url: database.url, role: 'owner', connectionsMax: 1, onError: () => undefined });
    expect(await explainMissingRoles(database.url, owner, passwordOf('one key'))).toBeUndefined();
    await owner.end();
    await database.close();
  });
});
