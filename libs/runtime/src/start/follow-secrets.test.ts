import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { followSecrets } from './follow-secrets.ts';
import { bucketOf } from './open-object-store.ts';

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
    await write('token', `${'a'.repeat(32)}\n`);
    const environment = {
      S3_ENDPOINT: 'http://127.0.0.1:9000',
      S3_BUCKET: 'evidence',
      S3_ACCESS_KEY_FILE: join(folder, 'access'),
      S3_SECRET_KEY_FILE: join(folder, 'secret'),
      SERVICE_QUEUE_BOARD_TOKEN_FILE: join(folder, 'token'),
    };
    const { config, stop } = followSecrets(environment, (line) => reports.push(line));
    const bucket = bucketOf(config);
    expect(bucket?.keys?.()).toEqual({ accessKey: 'key-1', secretKey: 'secret-1' });
    expect(config.SERVICE_QUEUE_BOARD_TOKEN).toBe('a'.repeat(32));

    await write('secret', 'secret-2\n');
    await until(() => bucket?.keys?.().secretKey === 'secret-2');
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

  it('that are variables are what they were', () => {
    const { config } = followSecrets({ SERVICE_QUEUE_BOARD_TOKEN: 'c'.repeat(32) }, () => undefined);
    expect(Object.getOwnPropertyDescriptor(config, 'SERVICE_QUEUE_BOARD_TOKEN')?.get).toBeUndefined();
  });
});
