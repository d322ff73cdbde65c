import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyEd25519 } from '@answer-evidence/node-crypto';
import { formatVkey } from '@answer-evidence/note';
import { StartError } from '../ground/start-error.ts';
import { openWitnessKey } from './open-witness-key.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-witness-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NAME = 'witness.example/w1';

describe('openWitnessKey', () => {
  it('makes a key once, for nobody else to read, and the same one ever after, with or without its name', async () => {
    const made = await openWitnessKey(folder, NAME);
    expect([made.created, made.vkey.name, made.vkey.type]).toEqual([true, NAME, 0x04]);
    expect((await stat(join(folder, 'witness.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(folder, 'witness.vkey'), 'utf8')).toBe(`${formatVkey(made.vkey)}\n`);
    for (const name of [NAME, undefined]) {
      const again = await openWitnessKey(folder, name);
      expect([again.created, again.vkey]).toEqual([false, made.vkey]);
      const message = new TextEncoder().encode('message');
      expect(verifyEd25519(made.vkey.publicKey, message, again.sign('message'))).toBe(true);
    }
  });

  it('never gives one key a second name, since cosignatures do not say it', async () => {
    const { vkey } = await openWitnessKey(folder, NAME);
    await expect(openWitnessKey(folder, 'witness.example/w2')).rejects.toThrow(`already serves as ${NAME}`);
    expect((await openWitnessKey(folder, undefined)).vkey).toEqual(vkey);
  });

  it('gives no second name either when the first one cannot be read just now', async () => {
    await openWitnessKey(folder, NAME);
    const file = join(folder, 'witness.vkey');
    await rm(file);
    await symlink(file, file);
    await expect(openWitnessKey(folder, 'witness.example/w2')).rejects.toThrow('witness.vkey cannot be read (ELOOP)');
  });

  it('makes nothing without a name, or with one that no key can have', async () => {
    for (const name of [undefined, 'a b', 'a+b', 'a\nb']) {
      await expect(openWitnessKey(folder, name)).rejects.toBeInstanceOf(StartError);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a name file of another key, a key of another length, and a lost name', async () => {
    await openWitnessKey(folder, NAME);
    const other = join(folder, 'other');
    await mkdir(other);
    await openWitnessKey(other, NAME);
    const own = await readFile(join(folder, 'witness.vkey'));
    await writeFile(join(folder, 'witness.vkey'), await readFile(join(other, 'witness.vkey')));
    await expect(openWitnessKey(folder, NAME)).rejects.toThrow('not belong to the key beside it');
    await rm(join(folder, 'witness.vkey'));
    await expect(openWitnessKey(folder, undefined)).rejects.toThrow('is missing');
    await writeFile(join(folder, 'witness.vkey'), own);
    await writeFile(join(folder, 'witness.key'), 'AAAA\n');
    await expect(openWitnessKey(folder, NAME)).rejects.toThrow('32 bytes');
  });
});
