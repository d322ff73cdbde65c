import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { postgresPidsOf, refuseStart, startProcess } from '../tools/scenery/service-process.ts';

const PASSWORD = 'do-not-show-me';

let folder: string;
let database: TestDatabase;
let listener: Server;
let busyPort: string;
let newcomer: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-refused-'));
  database = await openTestDatabase();
  newcomer = `newcomer_${randomBytes(4).toString('hex')}`;
  await query(`create role ${newcomer} login password '${PASSWORD}'`);
  listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  busyPort = String(typeof address === 'object' ? address?.port : '');
});
afterAll(async () => {
  await query(`drop role ${newcomer}`);
  await database.close();
  await new Promise((resolve) => listener.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function query(sql: string, connectionString = database.url): Promise<readonly unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The test database's URL with something else in it. */
function databaseUrl(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

/** How a process that must refuse says so, which ends with exit code 1 and one line. */
async function refuseAsProcess(of: RefusedStart): Promise<string> {
  const service = startProcess(of);
  expect(await service.exited).toEqual({ code: 1, signal: null });
  // A slow machine may be told that PostgreSQL is starting.
  const [line = '', ...more] = service.stderr.filter((text) => text !== 'answer-evidence: starting PostgreSQL');
  expect([more, service.stdout]).toEqual([[], []]);
  return line;
}

type RefusedStart = { readonly dataDir: string; readonly environment: Readonly<Record<string, string>> };

/**
 * Starts the service, which must refuse: one line without a stack or a secret, no process left. Most starts are of this
 * process, since a process of its own takes half a second of a processor to say the same.
 */
async function refusalOf(
  environment: Readonly<Record<string, string>>,
  dataDir: string,
  refuse: (of: RefusedStart) => Promise<string> = refuseStart,
): Promise<string> {
  const line = await refuse({ dataDir, environment });
  expect(line).toMatch(/^answer-evidence: \S.*[;.:] ?\S/);
  expect(line).not.toMatch(/\n| at .*:\d+:\d+|undefined|Error:/);
  expect(line).not.toContain(PASSWORD);
  expect(line).not.toContain(new URL(database.url).password);
  expect(postgresPidsOf(dataDir)).toEqual([]);
  return line;
}

describe('a start that cannot go on ends with one line that says what to do:', () => {
  it('a data folder in a place where nothing can be made', async () => {
    expect(await refusalOf({}, '/proc/answer-evidence', refuseAsProcess)).toMatch(/cannot be written to \(ENOENT\)/);
  });

  const settings: readonly (readonly [string, string, RegExp])[] = [
    ['SERVICE_HTTP_PORT', 'abc', /SERVICE_HTTP_PORT must be a port number; correct or unset it/],
    [
      'SERVICE_MASTER_KEY',
      PASSWORD,
      /SERVICE_MASTER_KEY must be base64 of 32 bytes \(create one with: openssl rand -base64 32\)/,
    ],
    ['DATABASE_URL', `mysql://root:${PASSWORD}@localhost/x`, /DATABASE_URL must be a URL beginning with postgres:\/\//],
  ];
  it.each(settings)('%s=%s', async (name, value, expected) => {
    expect(await refusalOf({ [name]: value }, join(folder, 'settings'), refuseAsProcess)).toMatch(expected);
  });

  it('a data folder below a file', async () => {
    await writeFile(join(folder, 'file'), '');
    const dataDir = join(folder, 'file', 'data');
    expect(await refusalOf({}, dataDir, refuseAsProcess)).toMatch(
      /the folder .*file\/data cannot be written to \(ENOTDIR\); make it writable or point SERVICE_DATA_DIR elsewhere/,
    );
  });

  it('a file where a folder of the data folder has to be', async () => {
    // That of the tests below, whose key this start makes.
    const dataDir = join(folder, 'own');
    const heads = join(dataDir, 'heads');
    await mkdir(dataDir, { recursive: true });
    await rm(heads, { recursive: true, force: true });
    await writeFile(heads, '');
    expect(await refusalOf({ DATABASE_URL: database.url }, dataDir, refuseAsProcess)).toMatch(
      /own\/heads cannot be used \(EEXIST\); give the user who runs the service read and write access/,
    );
    await rm(heads);
  });

  it('an address of another machine', async () => {
    expect(
      await refusalOf({ DATABASE_URL: database.url, SERVICE_HTTP_HOST: '192.0.2.1' }, join(folder, 'own')),
    ).toMatch(/"192\.0\.2\.1" is not an address of this machine; correct SERVICE_HTTP_HOST/);
  });

  it.each(['SERVICE_HTTP_PORT', 'SERVICE_METRICS_PORT'])('a port in use as %s', async (setting) => {
    const environment = { DATABASE_URL: database.url, [setting]: busyPort };
    expect(await refusalOf(environment, join(folder, 'own'), refuseAsProcess)).toBe(
      `answer-evidence: port ${busyPort} is in use; stop the program that uses it or set ${setting}`,
    );
  });

  it.each<readonly [string, () => string, RegExp]>([
    [
      'no server',
      () => databaseUrl((url) => (url.port = '1')),
      /PostgreSQL at 127\.0\.0\.1:1 does not respond; start it or correct DATABASE_URL/,
    ],
    [
      'no such host',
      () => databaseUrl((url) => (url.hostname = 'no-such-host.invalid')),
      /no-such-host\.invalid:\d+ does not/,
    ],
    [
      'a wrong password',
      () => databaseUrl((url) => (url.password = PASSWORD)),
      /rejects the user "postgres"; correct DATABASE_URL/,
    ],
    ['no password', () => databaseUrl((url) => (url.password = '')), /requires a password; put it into DATABASE_URL/],
    [
      'a missing database',
      () => databaseUrl((url) => (url.pathname = '/nowhere')),
      /has no database "nowhere"; create it or correct DATABASE_URL/,
    ],
    [
      'a user who may not change the schema',
      () =>
        databaseUrl((url) => {
          url.username = newcomer;
          url.password = PASSWORD;
        }),
      /the user "newcomer_\w+" may not .*; use the database's owner in DATABASE_URL/,
    ],
    [
      'TLS that the server lacks',
      () => databaseUrl((url) => (url.search = '?sslmode=verify-full')),
      /does not offer TLS/,
    ],
  ])('DATABASE_URL with %s', async (_what, url, expected) => {
    expect(await refusalOf({ DATABASE_URL: url() }, join(folder, 'own'))).toMatch(expected);
  });

  it('a database user of which one connection is permitted, and the second refused', async () => {
    await query(`alter role ${newcomer} connection limit 1`);
    const url = databaseUrl((one) => {
      one.username = newcomer;
      one.password = PASSWORD;
    });
    expect(await refusalOf({ DATABASE_URL: url }, join(folder, 'own'))).toMatch(/has no free connection; close other/);
  });

  it('a lock that somebody else holds, which is not the fault of DATABASE_URL', async () => {
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    try {
      await holder.query('begin; lock table answer_evidence.installation in access exclusive mode');
      const refusal = await refusalOf({ DATABASE_URL: database.url }, join(folder, 'own'));
      expect(refusal).toMatch(
        /waiting for a lock of another session.*pg_stat_activity.*; start again when it has ended/,
      );
      expect(refusal).not.toContain('DATABASE_URL');
    } finally {
      await holder.end();
    }
  });

  it('several hosts in DATABASE_URL, of which the driver could use only one', async () => {
    const url = `postgres://anna:${PASSWORD}@one:5432,two:5432/evidence?target_session_attrs=read-write`;
    expect(await refusalOf({ DATABASE_URL: url }, join(folder, 'own'))).toMatch(
      /DATABASE_URL must name one host, which leads to the primary also after a failover/,
    );
  });

  it('a database of a newer release', async () => {
    await query(`insert into public.answer_evidence_migrations (name) values ('9999_future.sql')`);
    expect(await refusalOf({ DATABASE_URL: database.url }, join(folder, 'own'))).toMatch(
      /migrated by a newer release \(9999_future\.sql\); run that release/,
    );
    await query(`delete from public.answer_evidence_migrations where name = '9999_future.sql'`);
  });

  it('a master key of a database elsewhere, in a folder that is on no mount of its own, until somebody says so', async () => {
    const own = await openTestDatabase();
    try {
      const dataDir = join(folder, 'fleeting');
      const environment = { DATABASE_URL: own.url, SERVICE_DATA_DIR_LASTS: 'off' };
      for (const refuse of [refuseStart, refuseAsProcess])
        expect(await refusalOf(environment, dataDir, refuse)).toMatch(
          /^answer-evidence: DATABASE_URL is set and SERVICE_MASTER_KEY is not: .*; make one with: openssl rand -base64 32, keep it safe and set SERVICE_MASTER_KEY to it, or set SERVICE_DATA_DIR_LASTS=on/,
        );
      // Nothing was made, neither there nor in the database.
      expect(await readdir(dataDir)).toEqual(['heads']);
      expect(await query('select * from answer_evidence.installation', own.url)).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it('another master key than the database was made with, a damaged, an open and a missing key file', async () => {
    const dataDir = join(folder, 'keys');
    const own = await openTestDatabase();
    const environment = { DATABASE_URL: own.url };
    const service = startProcess({ dataDir, environment });
    await service.ready;
    await service.stop();

    const other = randomBytes(32).toString('base64');
    expect(await refusalOf({ ...environment, SERVICE_MASTER_KEY: other }, dataDir)).toBe(
      'answer-evidence: SERVICE_MASTER_KEY is not the key that this database was created with; provide the right key',
    );
    const keyFile = join(dataDir, 'master.key');
    await writeFile(keyFile, `${other}\n`);
    expect(await refusalOf(environment, dataDir)).toMatch(
      /master\.key is not the key that this database was created with/,
    );
    await writeFile(keyFile, `${randomBytes(5).toString('base64')}\n`);
    expect(await refusalOf(environment, dataDir)).toMatch(/master\.key does not contain a key of 32 bytes; restore it/);
    await writeFile(keyFile, 'not base64!\n');
    expect(await refusalOf(environment, dataDir)).toMatch(/master\.key does not hold a base64 secret; restore it/);
    await rm(keyFile);
    await writeFile(keyFile, `${other}\n`, { mode: 0o644 });
    expect(await refusalOf(environment, dataDir)).toMatch(/can be read by other users; run: chmod 600 /);
    await rm(keyFile);
    expect(await refusalOf(environment, dataDir)).toMatch(
      /the key of this database is not in .*master\.key; set SERVICE_MASTER_KEY or restore the file/,
    );
    await own.close();
  });

  it('a data folder that another service has', async () => {
    const dataDir = join(folder, 'shared');
    const first = startProcess({ dataDir });
    await first.ready;
    const second = startProcess({ dataDir });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr).toEqual([
      expect.stringMatching(
        /^answer-evidence: the PostgreSQL in .* belongs to the running process \d+\. Stop the other process first, or point SERVICE_DATA_DIR/,
      ),
    ]);
    // The first one's PostgreSQL was left alone.
    const page = await fetch(`${await first.ready}/api/openapi.json`);
    expect(page.status).toBe(200);
    expect(postgresPidsOf(dataDir)).not.toEqual([]);
    expect(await first.stop()).toEqual({ code: 0, signal: null });
  });
});
