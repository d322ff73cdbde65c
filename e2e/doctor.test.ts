import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasRedis, openTestDatabase, startTestRedis, type TestDatabase } from '@answer-evidence/testing';
import { runApp, runOperatorCommand, startProcess } from '../tools/scenery/service-process.ts';

let dataDir: string;
let database: TestDatabase;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-doctor-'));
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

type Finding = { readonly name: string; readonly outcome: string; readonly text: string };

/** What `doctor --json` finds, by the names of the checks. */
async function inspect(environment: Readonly<Record<string, string>>) {
  const { code, stdout } = await runOperatorCommand(['doctor', '--json'], { dataDir, environment });
  const findings = stdout.split('\n').map((line) => JSON.parse(line) as Finding);
  return { code, stdout, found: Object.fromEntries(findings.map(({ name, ...rest }) => [name, rest])) };
}

describe('npm run operator -- doctor', () => {
  it('looks at an empty installation and makes nothing in it', async () => {
    const { code, found } = await inspect({});
    expect(code).toBe(0);
    expect(found).toMatchObject({
      'data.folder': { outcome: 'PASS' },
      'space.data': { text: expect.stringMatching(/ \(data, [^)]*\) has \d+ MiB free of \d+ MiB/) },
      database: { outcome: 'SKIP', text: expect.stringContaining('is not running') },
      redis: { outcome: 'SKIP' },
      bucket: { outcome: 'SKIP' },
      'heads.place': { outcome: 'PASS' },
    });
    expect(await readdir(dataDir)).toEqual(['heads']);
  });

  it('passes a database before its first start and with a service on it, with the roles as they are then', async () => {
    const environment = { DATABASE_URL: database.url };
    const before = await inspect(environment);
    expect(before.found).toMatchObject({ 'database.version': { outcome: 'PASS' }, 'key.master': { outcome: 'SKIP' } });
    const service = startProcess({ dataDir, environment });
    await service.ready;
    try {
      // The server of the tests does without fsync, and a start says so once it is ready.
      expect(service.stderr).toContainEqual(expect.stringMatching(/warning: PostgreSQL at .* has fsync and full_page/));
      const { code, stdout, found } = await inspect(environment);
      expect(found).toMatchObject({
        'database.session': { outcome: 'PASS' },
        'database.durable': {
          outcome: 'WARN',
          text: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+ has fsync/),
        },
        'database.schema': { outcome: 'PASS', text: 'is the newest' },
        'key.master': { outcome: 'PASS', text: 'is the key of the database' },
        'database.roles': { outcome: 'PASS' },
        'database.logins': { outcome: 'PASS' },
      });
      expect(Object.values(found).filter(({ outcome }) => outcome === 'FAIL')).toEqual([]);
      expect(code).toBe(0);
      expect(stdout).not.toContain(new URL(database.url).password);
    } finally {
      await service.stop();
    }
  });

  it('fails for what keeps a service from starting, names every such thing, and goes on with the rest', async () => {
    const away = new URL(database.url);
    away.port = '1';
    const { code, stdout, stderr } = await runApp('operator', ['doctor'], {
      dataDir,
      environment: {
        DATABASE_URL: away.href,
        REDIS_URL: 'redis://:secret-word@127.0.0.1:1',
        S3_ENDPOINT: 'http://127.0.0.1:1',
        S3_BUCKET: 'evidence',
        S3_ACCESS_KEY: 'key',
        S3_SECRET_KEY: 'secret-word',
      },
    });
    expect([code, stderr]).toEqual([1, '']);
    // How much room there is, is a matter of the machine.
    const lines = stdout.split('\n');
    expect(lines.slice(0, -1).filter((line) => !/^(?:PASS|WARN) space\./.test(line))).toEqual([
      expect.stringMatching(/^PASS data\.folder: /),
      expect.stringMatching(/^PASS credentials\.key: the master key is in /),
      'PASS credentials.database: the password in DATABASE_URL',
      'PASS credentials.redis: the password in REDIS_URL',
      'PASS credentials.bucket: S3_ACCESS_KEY …, without an end',
      expect.stringMatching(/^FAIL database\.session: PostgreSQL at 127\.0\.0\.1:1 does not respond; start it or/),
      'FAIL redis.connection: Redis at 127.0.0.1:1 does not respond; start it or correct REDIS_URL',
      'FAIL bucket.usable: the object store at http://127.0.0.1:1 does not respond; start it or correct S3_ENDPOINT',
      expect.stringMatching(/^FAIL heads\.place: the heads in the bucket evidence at .* the server does not respond/),
      'SKIP oidc.provider: SERVICE_OIDC_ISSUER is not set; people sign in with passwords',
    ]);
    expect(lines.at(-1)).toMatch(/^\d+ passed, \d warnings, 4 failed, 1 skipped$/);
    expect(stdout).not.toContain('secret-word');
  });

  it('counts the connections of all processes, and says by how much they are too many', async () => {
    const args = ['doctor', '--processes', '40'];
    const { stdout } = await runOperatorCommand(args, { dataDir, environment: { DATABASE_URL: database.url } });
    expect(stdout).toMatch(
      /^WARN database\.connections: .* fewer than 2080 \(40 of the service .*raise max_connections$/m,
    );
  });

  (hasRedis() ? it : it.skip)('names what is wrong with a Redis', async () => {
    const redis = await startTestRedis({ 'maxmemory-policy': 'allkeys-lru', appendonly: 'no' });
    try {
      const { code, found } = await inspect({ DATABASE_URL: database.url, REDIS_URL: redis.url });
      expect(code).toBe(1);
      expect(found).toMatchObject({
        'redis.version': { outcome: 'PASS' },
        'redis.eviction': { outcome: 'FAIL', text: expect.stringContaining('set it to noeviction') },
        'redis.persistence': { outcome: 'WARN', text: expect.stringContaining('set appendonly to yes') },
      });
    } finally {
      await redis.close();
    }
  });
});
