import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { witnessedCheckpointsContract } from '@answer-evidence/ports/contracts';
import { withDirectory } from './fixtures/with-directory.ts';
import { openWitnessedCheckpoints, WitnessedCheckpointError } from './witnessed-checkpoints.ts';

const checkpoint = { origin: 'example.com/log', treeSize: 3, rootHash: '0'.repeat(64), note: 'note\n' };

describe('openWitnessedCheckpoints keeps the contract:', () => {
  for (const promise of witnessedCheckpointsContract) {
    it(promise.guarantee, () =>
      withDirectory((directory) => promise.prove({ open: () => openWitnessedCheckpoints(join(directory, 'seen')) })),
    );
  }
});

describe('openWitnessedCheckpoints', () => {
  it('leaves the latest files of a log, for nobody else to read, and no drafts', () =>
    withDirectory(async (directory) => {
      const store = await openWitnessedCheckpoints(directory);
      for (let revision = 0; revision < 40; revision++) await store.keep(checkpoint, revision);
      const [folder = '', ...others] = await readdir(directory);
      expect(folder).toMatch(/^[0-9a-f]{64}$/);
      expect(others).toEqual([]);
      const names = (await readdir(join(directory, folder))).sort();
      expect(names).toHaveLength(33);
      expect([names[0], names.at(-1)]).toEqual(['0000000000000008.json', '0000000000000040.json']);
      expect((await stat(join(directory, folder))).mode & 0o777).toBe(0o700);
      const path = join(directory, folder, '0000000000000040.json');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, 'utf8')).toBe(
        `{"note":"note\\n","origin":"example.com/log","root_hash":"${'0'.repeat(64)}","tree_size":3}\n`,
      );
    }));

  it('takes no damaged or unreadable file for "nothing yet", names it, and keeps nothing after it', () =>
    withDirectory(async (directory) => {
      const store = await openWitnessedCheckpoints(directory);
      await store.keep(checkpoint, 0);
      const [folder = ''] = await readdir(directory);
      const path = join(directory, folder, '0000000000000001.json');
      const text = await readFile(path, 'utf8');
      for (const content of [
        '',
        text.slice(0, -3),
        text.replace('"tree_size":3', '"tree_size":"3"'),
        text.replace('/log', '/gol'),
      ]) {
        await writeFile(path, content);
        await expect(store.find(checkpoint.origin)).rejects.toThrow(path);
        for (const revision of [0, 1]) {
          await expect(store.keep(checkpoint, revision)).rejects.toBeInstanceOf(WitnessedCheckpointError);
        }
      }
      await writeFile(path, text);
      await mkdir(join(directory, folder, '0000000000000002.json'));
      await expect(store.find(checkpoint.origin)).rejects.toBeInstanceOf(WitnessedCheckpointError);
    }));

  it('is not misled by drafts that a crash left behind', () =>
    withDirectory(async (directory) => {
      const store = await openWitnessedCheckpoints(directory);
      await store.keep(checkpoint, 0);
      const [folder = ''] = await readdir(directory);
      await writeFile(join(directory, folder, '0000000000000002.json.x.draft'), 'half');
      expect(await store.find(checkpoint.origin)).toMatchObject({ revision: 1 });
      expect(await store.keep({ ...checkpoint, treeSize: 4 }, 1)).toBe(true);
    }));
});
