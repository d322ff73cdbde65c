import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { APART, isAt } from './apart.ts';
import { findInputs } from './find-inputs.ts';
import { digestOf, findNeeds, type Sources } from './read-sources.ts';
import { READ_BY } from './rooms.ts';
import { listRuns, recordPassed, selectRuns } from './select.ts';

/** A repository of these files; each is a program that says what it needs. */
function sourcesOf(texts: Readonly<Record<string, string>>): Sources {
  const files = new Map(Object.entries(texts));
  const digests = new Map([...files].map(([file, text]) => [file, digestOf(text)]));
  return { digests, needs: findNeeds(files, new Set(files.keys())) };
}

const REPOSITORY = {
  'libs/a/package.json': '{"name":"@answer-evidence/a","exports":{".":"./src/index.ts"}}',
  'libs/a/src/index.ts': "export * from './one.ts';",
  'libs/a/src/one.ts': '',
  'libs/a/src/other.ts': '',
  'libs/a/src/one.test.ts': "import { one } from './one.ts';",
  'libs/b/fixtures/v1.json': '{}',
  'libs/b/src/b.ts': "import { one } from '@answer-evidence/a';",
  'libs/b/src/b.test.ts': "import './b.ts'; new URL(`../fixtures/v${n}.json`, import.meta.url)",
  'libs/c/src/spawned.test.ts': "spawn(join(import.meta.dirname, 'program.ts'))",
  'libs/c/src/program.ts': "await import('../../a/src/other.ts')",
  'tools/all.test.ts': "new URL('../', import.meta.url)",
  'docs/page.md': '',
};

/** The tests that run after a change of one file, everything having passed before. */
function runAfter(changed: string): readonly string[] {
  const shapes = { one: Object.keys(REPOSITORY).filter((file) => file.endsWith('.test.ts')), split: [] };
  const before = listRuns(sourcesOf(REPOSITORY), shapes);
  const passed = recordPassed(before, {}, before);
  const after = listRuns(sourcesOf({ ...REPOSITORY, [changed]: `${REPOSITORY[changed as 'docs/page.md']} ` }), shapes);
  return selectRuns(after, passed).map(({ file }) => file);
}

describe('a test file runs again', () => {
  it.each([
    ['libs/a/src/one.ts', ['libs/a/src/one.test.ts', 'libs/b/src/b.test.ts', 'tools/all.test.ts']],
    ['libs/a/src/one.test.ts', ['libs/a/src/one.test.ts', 'tools/all.test.ts']],
    ['libs/b/fixtures/v1.json', ['libs/b/src/b.test.ts', 'tools/all.test.ts']],
    ['libs/a/src/other.ts', ['libs/c/src/spawned.test.ts', 'tools/all.test.ts']],
    ['docs/page.md', ['tools/all.test.ts']],
  ])('after a change of what it imports, names or starts, as %s', (changed, expected) => {
    expect(runAfter(changed)).toEqual(expected);
  });

  it.each(['package-lock.json', 'jest.config.mjs', '.ci/run'])('after a change of %s', (file) => {
    expect(findInputs(['a.test.ts'], sourcesOf({ 'a.test.ts': '', [file]: '' }))).toContain(file);
  });

  it('where nothing is known of it, and until it has passed', () => {
    const runs = listRuns(sourcesOf(REPOSITORY), { one: ['tools/all.test.ts'], split: ['libs/b/src/b.test.ts'] });
    expect(selectRuns(runs, {})).toEqual(runs);
    expect(selectRuns(runs, recordPassed(runs, {}, runs.slice(1)))).toEqual(runs.slice(0, 1));
  });
});

describe('the record', () => {
  it('keeps what was known, and forgets files that are gone', () => {
    const runs = listRuns(sourcesOf(REPOSITORY), { one: ['tools/all.test.ts'], split: [] });
    expect(recordPassed(runs, { 'tools/all.test.ts': 'older', 'gone.test.ts': 'older' }, [])).toEqual({
      'tools/all.test.ts': 'older',
    });
  });
});

describe('a place', () => {
  it('holds what is below it, whatever folder stands for a star', () => {
    expect(isAt('libs/stages/otlp/src/routes/a.ts', ['libs/stages/*/src/routes/'])).toBe(true);
    expect(isAt('libs/stages/otlp/src/inbox/a.ts', ['libs/stages/*/src/routes/'])).toBe(false);
    expect(isAt('e2e/console-log.test.ts', ['e2e/console'])).toBe(true);
  });
});

it('the tables name what exists', () => {
  const root = join(import.meta.dirname, '../..');
  const named = [
    ...Object.entries(READ_BY).flatMap(([file, places]) => [file, ...places]),
    ...APART.flatMap(({ tests, from }) => [...tests, ...from]).filter((place) => /(?:\.ts|\/)$/.test(place)),
  ];
  const places = named.filter((place) => !place.includes('*'));
  expect(places.length).toBeGreaterThan(100);
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
});
