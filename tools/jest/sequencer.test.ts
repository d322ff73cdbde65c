import { existsSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import LongestFirst, { WAITING } from './sequencer.ts';

/** Orders files of these sizes, of which some took so many milliseconds in the last run. */
function order(sizes: Readonly<Record<string, number>>, durations: Readonly<Record<string, number>> = {}) {
  const known = Object.entries(durations).map(([path, ms]) => [path, [1, ms]] as const);
  class Remembering extends LongestFirst {
    override _getCache() {
      return Object.fromEntries(known) as ReturnType<LongestFirst['_getCache']>;
    }
  }
  const context = { config: { rootDir: '/r' }, hasteFS: { getSize: (path: string) => sizes[path] } };
  const tests = Object.keys(sizes).map((path) => ({ path, context }));
  const sequencer = new Remembering({} as never);
  return sequencer.sort(tests as unknown as Parameters<typeof sequencer.sort>[0]).map(({ path }) => path);
}

it('begins with the whole service and ends with single functions where no run is known', () => {
  const sizes = { '/r/libs/a.test.ts': 900, '/r/tools/b.test.ts': 10, '/r/e2e/c.test.ts': 5, '/r/e2e/d.test.ts': 6 };
  expect(order(sizes)).toEqual(['/r/e2e/d.test.ts', '/r/e2e/c.test.ts', '/r/tools/b.test.ts', '/r/libs/a.test.ts']);
});

it('begins with the longest files where a run is known', () => {
  const durations = { '/r/e2e/a.test.ts': 10, '/r/libs/b.test.ts': 900 };
  expect(order({ '/r/e2e/a.test.ts': 5, '/r/libs/b.test.ts': 5 }, durations)).toEqual([
    '/r/libs/b.test.ts',
    '/r/e2e/a.test.ts',
  ]);
});

it('spreads the files that wait among those of the whole service', () => {
  const names = ['e2e/a', 'e2e/b', 'e2e/c', 'e2e/d', ...WAITING.slice(0, 2).map((name) => `e2e/${name}`), 'libs/e'];
  const ordered = order(Object.fromEntries(names.map((name, n) => [`/r/${name}.test.ts`, 9 - n])));
  expect(ordered.map((path) => path.slice(3, -8))).toEqual([
    ...['e2e/sweep-confirm', 'e2e/a', 'e2e/b', 'e2e/otlp-crash', 'e2e/c', 'e2e/d', 'libs/e'],
  ]);
});

it.each(WAITING)('knows %s by its name', (name) => {
  expect(existsSync(new URL(`../../e2e/${name}.test.ts`, import.meta.url))).toBe(true);
});
