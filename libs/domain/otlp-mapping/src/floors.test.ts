import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

/** The folders, from what knows least to what knows most. */
const FLOORS = ['item', 'dialects', 'read', 'rules', 'trace'];

const floorOf = (path: string): string => path.split('/')[0] ?? '';

const files = globSync('*/**/*.ts', { cwd: import.meta.dirname });

it('has no file of another folder', () => {
  expect([...new Set(files.map(floorOf))].sort()).toEqual(FLOORS.toSorted());
});

it('imports from no folder that knows more', () => {
  const upwards = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8');
      const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path]) => join(dirname(file), path ?? ''));
      return imported
        .filter((path) => FLOORS.indexOf(floorOf(path)) > FLOORS.indexOf(floorOf(file)))
        .map((path) => `${file} -> ${path}`);
    });
  expect(upwards).toEqual([]);
});
