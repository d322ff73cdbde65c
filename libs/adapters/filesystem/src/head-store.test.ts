import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { OutsideHead } from '@answer-evidence/ports';
import { headStoreContract } from '@answer-evidence/ports/contracts';
import { withDirectory } from './fixtures/with-directory.ts';
import { openHeadStore } from './head-store.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';
const head: OutsideHead = {
  workspaceId: ID,
  origin: 'example.com/log',
  treeSize: 3,
  rootHash: '0'.repeat(64),
  systemIdentifier: '7400000000000000001',
};

describe('openHeadStore keeps the contract:', () => {
  for (const promise of headStoreContract) {
    it(promise.guarantee, () =>
      withDirectory((directory) => promise.prove({ open: () => openHeadStore(join(directory, 'heads')) })),
    );
  }
});

describe('openHeadStore', () => {
  it('leaves one file a workspace, for nobody else to read, and no drafts', () =>
    withDirectory(async (directory) => {
      const heads = await openHeadStore(join(directory, 'a', 'heads'));
      await heads.keep(head);
      await heads.keep({ ...head, treeSize: 4 });
      const path = join(directory, 'a', 'heads');
      expect(await readdir(path)).toEqual([`${ID}.json`]);
      expect((await stat(path)).mode & 0o777).toBe(0o700);
      expect((await stat(join(path, `${ID}.json`))).mode & 0o777).toBe(0o600);
      expect(await readFile(join(path, `${ID}.json`), 'utf8')).toBe(
        `{"origin":"example.com/log","root_hash":"${'0'.repeat(64)}","system_identifier":"7400000000000000001","tree_size":4,"workspace_id":"${ID}"}\n`,
      );
    }));

  it('takes no damaged file for "no head yet", names it, and does not overwrite it', () =>
    withDirectory(async (directory) => {
      const heads = await openHeadStore(directory);
      await heads.keep(head);
      const path = join(directory, `${ID}.json`);
      const text = await readFile(path, 'utf8');
      const damaged = [
        '',
        text.slice(0, -3),
        text + text,
        text.replace('"tree_size":3', '"tree_size":"3"'),
        text.replace('"tree_size":3', '"tree_size":3,"tree_size":1'),
        text.replace('"tree_size":3', '"tree_size":3,"more":1'),
        text.replace('000001"}', '000002"}'),
      ];
      for (const content of damaged) {
        await writeFile(path, content);
        const message = expect.stringContaining(path);
        await expect(heads.find(ID)).rejects.toMatchObject({ message });
        await expect(heads.keep({ ...head, treeSize: 9 })).rejects.toMatchObject({ message });
        expect(await readFile(path, 'utf8')).toBe(content);
      }
      await writeFile(path, text);
      expect(await heads.find(ID)).toEqual(head);
    }));

  it('takes no unreadable file for "no head yet"', () =>
    withDirectory(async (directory) => {
      const heads = await openHeadStore(directory);
      const path = join(directory, `${ID}.json`);
      await mkdir(path);
      await expect(heads.find(ID)).rejects.toThrow(`${path} cannot be read or is damaged`);
      await expect(heads.find(ID)).rejects.toMatchObject({ code: 'kept_unreadable' });
    }));
});
