import { readdir } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { IN_BOTH, IN_BOTH_ON_REQUEST, IN_ONE } from './shapes.ts';

it('decides of every file of e2e in which shapes of the service it runs, and of none twice', async () => {
  const files = (await readdir(new URL('../../e2e', import.meta.url)))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.test\.ts$/, ''));
  const decided = [...IN_BOTH, ...IN_BOTH_ON_REQUEST, ...Object.keys(IN_ONE)];
  expect(decided.toSorted()).toEqual(files.toSorted());
});
