import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../open/open-database.ts';
import { bucketOf } from '../open/open-object-store.ts';
import { followSecrets } from './follow-secrets.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-follow-'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('secrets in files', () => {
  it('are taken up when their files change, and what cannot be used changes nothing and is told once', async () => {
    const reports: string[] = [];
    await write('access', 'key-1');
    await write('secret', 'secret-1');
    await write('session', 'session-1');
    await write('token', `${'a'.repeat(32)}\n`);
    const environment = {
      S3_ENDPOINT: 'http://127.0.0.1:9000',
      S3_BUCKET: 'evidence',
      S3_ACCESS_KEY_FILE: join(folder, 'access'),
      S3_SECRET_KEY_FILE: join(folder, 'secret'),
      S3_SESSION_TOKEN_FILE: join(folder, 'session'),
      SERVICE_QUEUE_BOARD_TOKEN_FILE: join(folder, 'token'),
    };
    const { config, stop } = followSecrets(environment, (line) => reports.push(line));
    const bucket = bucketOf(config);
    const first = { accessKey: 'key-1', secretKey: 'secret-1', sessionToken: 'session-1' };
    expect(await bucket?.grant?.()).toEqual(first);
    expect(config.SERVICE_QUEUE_BOARD_TOKEN).toBe('a'.repeat(32));

    await write('secret', 'secret-2\n');
    await until(() => config.S3_SECRET_KEY === 'secret-2');
    expect(await bucket?.grant?.()).toEqual({ ...first, secretKey: 'secret-2' });
    await write('token', 'short');
    await until(() => reports.length === 2);
    expect(config.SERVICE_QUEUE_BOARD_TOKEN).toBe('a'.repeat(32));
    await write('token', 'b'.repeat(40));
    await until(() => config.SERVICE_QUEUE_BOARD_TOKEN === 'b'.repeat(40));
    expect(reports).toEqual([
      'took up a new S3_SECRET_KEY',
      expect.stringMatching(/^the previous secrets stay in use: SERVICE_QUEUE_BOARD_TOKEN must be 32 to 500/),
      'took up a new SERVICE_QUEUE_BOARD_TOKEN',
    ]);
    expect(reports.join()).not.toMatch(/secret-2|bbbb/);
    stop();
  }, 60_000);

  it('may change the passwords of a URL, and not the place that it names', async () => {
    const reports: string[] = [];
    await write('redis', 'redis-sentinel://:one@a,b/0?sentinelMasterId=m&sentinelPassword=s');
    await write('database', 'postgres://owner:one@db/ledger?sslmode=verify-full');
    await write('client', 'one');
    const environment = {
      REDIS_URL_FILE: join(folder, 'redis'),
      DATABASE_URL_FILE: join(folder, 'database'),
      SERVICE_OIDC_ISSUER: 'https://login.example.com',
      SERVICE_OIDC_CLIENT_ID: 'ledger',
      SERVICE_OIDC_CLIENT_SECRET_FILE: join(folder, 'client'),
      SERVICE_OIDC_WORKSPACE: 'acme',
    };
    const { config, stop } = followSecrets(environment, (line) => reports.push(line));
    const database = await openDatabase(config, () => undefined);

    await write('redis', 'redis-sentinel://app:two@a,b/0?sentinelMasterId=m&sentinelPassword=t');
    await until(() => config.REDIS_URL?.includes('app:two@') === true);
    await write('database', 'postgres://owner:two@db/ledger?sslmode=verify-full');
    await until(() => database.url === 'postgres://owner:two@db/ledger?sslmode=verify-full');
    await write('client', 'two');
    await until(() => config.SERVICE_OIDC_CLIENT_SECRET === 'two');
    expect(reports).toEqual([
      'took up a new REDIS_URL',
      'took up a new DATABASE_URL',
      'took up a new SERVICE_OIDC_CLIENT_SECRET',
    ]);

    for (const [name, url] of [
      ['redis', 'redis-sentinel://app:three@a,c/0?sentinelMasterId=m'],
      ['database', 'postgres://other:three@db/ledger?sslmode=verify-full'],
    ] as const) {
      const before = reports.length;
      await write(name, url);
      await until(() => reports.length > before);
    }
    expect(reports.slice(3)).toEqual([
      expect.stringMatching(/^the previous secrets stay in use: REDIS_URL names another place .*; restart the process/),
      expect.stringMatching(/^the previous secrets stay in use: DATABASE_URL and REDIS_URL names? another place/),
    ]);
    expect(reports.join()).not.toContain('three');
    expect([config.REDIS_URL, config.DATABASE_URL].join()).not.toContain('three');
    stop();
  }, 60_000);

  it('that are variables are what they were', () => {
    const { config } = followSecrets({ SERVICE_QUEUE_BOARD_TOKEN: 'c'.repeat(32) }, () => undefined);
    expect(Object.getOwnPropertyDescriptor(config, 'SERVICE_QUEUE_BOARD_TOKEN')?.get).toBeUndefined();
  });
});
