import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withDirectory } from './fixtures/with-directory.ts';
import { linkRevision, listRevisions, revisionName } from './revisions.ts';

describe('linkRevision', () => {
  it('gives a number to one of all takers, with its whole text', () =>
    withDirectory(async (directory) => {
      const texts = Array.from({ length: 10 }, (_, i) => `text ${i}`);
      const outcomes = await Promise.all(texts.map((text) => linkRevision(directory, 1, text)));
      expect(outcomes.filter((isLinked) => isLinked)).toHaveLength(1);
      const kept = await readFile(join(directory, revisionName(1)), 'utf8');
      expect(kept).toBe(texts[outcomes.indexOf(true)]);
      expect(await readdir(directory)).toEqual([revisionName(1)]);
    }));

  it('withdraws from a number that is past and whose file is gone', () =>
    withDirectory(async (directory) => {
      for (let revision = 40; revision <= 72; revision++) await writeFile(join(directory, revisionName(revision)), '');
      expect(await linkRevision(directory, 6, 'slow')).toBe(false);
      expect(Math.min(...(await listRevisions(directory)))).toBe(40);
      expect(await linkRevision(directory, 73, 'next')).toBe(true);
      expect(Math.min(...(await listRevisions(directory)))).toBe(41);
    }));
});

describe('listRevisions', () => {
  it('knows only files of its own form, and none where there is no folder', () =>
    withDirectory(async (directory) => {
      for (const name of ['1.json', `${revisionName(2)}.x.draft`, 'fork-0.note'])
        await writeFile(join(directory, name), '');
      expect(await listRevisions(directory)).toEqual([]);
      expect(await listRevisions(join(directory, 'absent'))).toEqual([]);
    }));
});
