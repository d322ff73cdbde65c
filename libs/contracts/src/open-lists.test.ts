import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { OPEN_LISTS } from './open-lists.ts';

describe('OPEN_LISTS', () => {
  it('has every list that is marked as open, and no two of the same values', async () => {
    const folder = new URL('.', import.meta.url);
    let marked = 0;
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      marked += (await readFile(new URL(name, folder), 'utf8')).split('.meta(OPEN_VALUES)').length - 1;
    }
    expect(OPEN_LISTS).toHaveLength(marked);
    expect(new Set(OPEN_LISTS.map(({ options }) => options.join(' '))).size).toBe(marked);
  });
});
