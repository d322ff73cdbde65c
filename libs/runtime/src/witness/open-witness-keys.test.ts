import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { verifySignature } from '@answer-evidence/node-crypto';
import { formatVkey } from '@answer-evidence/note';
import { StartError } from '../ground/start-error.ts';
import { openWitnessKeys } from './open-witness-keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-witness-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NAME = 'witness.example/w1';

describe('openWitnessKeys', () => {
  it('makes a key once, for nobody else to read, and the same one ever after, with or without its name', async () => {
    const made = await openWitnessKeys(folder, NAME);
    expect(made.map(({ created, vkey }) => [created, vkey.name, vkey.type])).toEqual([
      [true, NAME, 0x04],
      [true, NAME, 0x06],
    ]);
    for (const { file, vkey } of made) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readFile(file.replace(/key$/, 'vkey'), 'utf8')).toBe(`${formatVkey(vkey)}\n`);
    }
    expect(made.map(({ file }) => basename(file))).toEqual(['witness.key', 'witness-ml-dsa-44.key']);
    for (const name of [NAME, undefined]) {
      const again = await openWitnessKeys(folder, name);
      expect(again.map(({ created, vkey }) => [created, vkey])).toEqual(made.map(({ vkey }) => [false, vkey]));
      const message = new TextEncoder().encode('message');
      for (const { vkey, sign } of again) expect(verifySignature(vkey.publicKey, message, sign(message))).toBe(true);
    }
  });

  it('gives a witness of before, which has the first key alone, the second one under its name', async () => {
    const [first] = await openWitnessKeys(folder, NAME);
    for (const ending of ['key', 'vkey']) await rm(join(folder, `witness-ml-dsa-44.${ending}`));
    const again = await openWitnessKeys(folder, undefined);
    expect(again.map(({ created, vkey }) => [created, vkey.name])).toEqual([
      [false, NAME],
      [true, NAME],
    ]);
    expect(again[0]?.vkey).toEqual(first?.vkey);
  });

  it('never gives one key a second name, since cosignatures do not say it', async () => {
    const made = await openWitnessKeys(folder, NAME);
    await expect(openWitnessKeys(folder, 'witness.example/w2')).rejects.toThrow(`already serves as ${NAME}`);
    const again = await openWitnessKeys(folder, undefined);
    expect(again.map(({ vkey }) => vkey)).toEqual(made.map(({ vkey }) => vkey));
  });

  it('gives no second name either when the first one cannot be read just now', async () => {
    await openWitnessKeys(folder, NAME);
    const file = join(folder, 'witness.vkey');
    await rm(file);
    await symlink(file, file);
    await expect(openWitnessKeys(folder, 'witness.example/w2')).rejects.toThrow('witness.vkey cannot be read (ELOOP)');
  });

  it('makes nothing without a name, or with one that no key can have', async () => {
    for (const name of [undefined, 'a b', 'a+b', 'a\nb']) {
      await expect(openWitnessKeys(folder, name)).rejects.toBeInstanceOf(StartError);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a name file of another key, a key of another length, and a lost name', async () => {
    await openWitnessKeys(folder, NAME);
    const other = join(folder, 'other');
    await mkdir(other);
    await openWitnessKeys(other, NAME);
    const own = await readFile(join(folder, 'witness.vkey'));
    await writeFile(join(folder, 'witness.vkey'), await readFile(join(other, 'witness.vkey')));
    await expect(openWitnessKeys(folder, NAME)).rejects.toThrow('not belong to the key beside it');
    await rm(join(folder, 'witness.vkey'));
    await expect(openWitnessKeys(folder, undefined)).rejects.toThrow('is missing');
    await writeFile(join(folder, 'witness.vkey'), own);
    await writeFile(join(folder, 'witness.key'), 'AAAA\n');
    await expect(openWitnessKeys(folder, NAME)).rejects.toThrow('32 bytes');
  });
});
