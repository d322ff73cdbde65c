import { isAt } from './apart.ts';
import { type Sources, WHOLE } from './read-sources.ts';

/** What every test depends on. */
const ALWAYS = ['package-lock.json', '.nvmrc', 'tsconfig.base.json', 'jest.config.mjs', 'tools/jest/', '.ci/run'];

/** Where a folder that is named may be run or bundled, and not read alone. */
const PROGRAMS = /^(?:apps|libs|packages)\//;

/**
 * Every file that can change what these tests say: what they import and name by a path, and so on from there. A folder
 * that is named is read, and its programs are followed where it holds some of the product.
 */
export function findInputs(
  tests: readonly string[],
  { digests, needs }: Sources,
  apart: readonly string[] = [],
): readonly string[] {
  const files = [...digests.keys()];
  const inputs = new Set<string>();
  const read = new Set<string>();
  const left = [...tests, ...ALWAYS];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const place = next;
    if (place === WHOLE) return files;
    if (inputs.has(place) || read.has(place) || isAt(place, apart)) continue;
    if (place.endsWith('/')) {
      read.add(place);
      if (PROGRAMS.test(place)) left.push(...files.filter((file) => file.startsWith(place) && !isTest(file)));
    } else {
      inputs.add(place);
      left.push(...(needs.get(place) ?? []));
    }
  }
  const folders = [...read];
  return files.filter(
    (file) => inputs.has(file) || (folders.some((folder) => file.startsWith(folder)) && !isAt(file, apart)),
  );
}

/** Whether Jest runs the file: who names its folder may read it, and does not run it. */
export function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}
