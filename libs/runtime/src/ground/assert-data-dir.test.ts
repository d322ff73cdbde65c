import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { assertDataDir } from './assert-data-dir.ts';
import { parseConfig } from './config.ts';
import { StartError } from './start-error.ts';

const ELSEWHERE = {
  DATABASE_URL: 'postgres://owner@db/ledger',
  SERVICE_MASTER_KEY: Buffer.alloc(32).toString('base64'),
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-data-dir-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const judge = (environment: Readonly<Record<string, string>> = {}): Promise<void> =>
  assertDataDir(parseConfig({ SERVICE_DATA_DIR: join(folder, 'data'), ...environment }));

describe('a data folder', () => {
  it('is made where there is none, and accepted ever after', async () => {
    await judge();
    await judge();
    expect(await readdir(join(folder, 'data'))).toEqual([]);
  });

  it.each(['master.key', 'postgres', 'heads', 'objects', 'anchors', 'witness', 'postgres/cluster', 'objects/0199'])(
    'is refused with a link out of it as %s, and nothing is made at its end',
    async (name) => {
      const path = join(folder, 'data', name);
      await mkdir(join(path, '..'), { recursive: true });
      await mkdir(join(folder, 'outside'));
      await symlink(join(folder, 'outside'), path);
      for (const environment of [{}, ELSEWHERE]) {
        await expect(judge(environment)).rejects.toBeInstanceOf(StartError);
        await expect(judge(environment)).rejects.toThrow(`${path} is a link that leads out of the folder; put what`);
      }
      expect(await readdir(join(folder, 'outside'))).toEqual([]);
    },
  );

  it('is refused where every user may write to what has the key or the database', async () => {
    await judge();
    await mkdir(join(folder, 'data', 'heads'));
    for (const path of [join(folder, 'data'), join(folder, 'data', 'heads')]) {
      await chmod(path, 0o777);
      await expect(judge()).rejects.toThrow(`${path} can be written to by other users; run: chmod o-w ${path}`);
      await expect(judge({ DATABASE_URL: ELSEWHERE.DATABASE_URL })).rejects.toBeInstanceOf(StartError);
      // As a pod's folder is, which nothing is kept in.
      await judge(ELSEWHERE);
      await chmod(path, 0o711);
    }
    await judge();
  });
});
