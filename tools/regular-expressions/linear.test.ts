import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { check } from 'recheck';
import { type Expression, findExpressions, type MadeExpression } from './find-expressions.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RECORDER = fileURLToPath(new URL('record-made.ts', import.meta.url));
/** Made in functions, of what no caller sends. */
const MADE_LATE: Readonly<Record<string, string>> = {
  'libs/adapters/bullmq/src/board/board-server.ts': 'of the paths that bull-board declares',
  'libs/stages/ingest/src/search/read-time.ts': 'of a list in the module, when it is loaded, so that they are proved',
};

let literals: readonly Expression[];
let made: readonly MadeExpression[];

beforeAll(async () => {
  const found = await Promise.all((await listSources()).map(async (path) => findIn(path)));
  literals = found.flatMap((file) => file.literals);
  made = found.flatMap((file) => file.made);
});

describe('the regular expressions of what is shipped', () => {
  it('takes time that grows no faster than the text, whatever the text', async () => {
    const recorded = await recordMade(made.map(({ place }) => fileOf(place)));
    expect(recorded.length).toBeGreaterThanOrEqual(made.filter(({ isAtTop }) => isAtTop).length);
    expect(await findSlow([...literals, ...recorded])).toEqual([]);
  }, 300_000);

  it('is made at the top of a module, where loading shows it, or is in a list with the reason', () => {
    const late = made.filter(({ isAtTop }) => !isAtTop).map(({ place }) => fileOf(place));
    expect(late.sort()).toEqual(Object.keys(MADE_LATE).sort());
  });

  it('is found where it is slow', async () => {
    const { literals: slow } = findExpressions('a.ts', String.raw`const a = /^\["[^]*<[\w.]+ object at 0x[^]*"\]$/;`);
    expect(await findSlow(slow)).toEqual([expect.stringMatching(/^a\.ts:1 .* is polynomial/)]);
  });
});

/** Sources of libraries, apps and packages without what only tests load. */
async function listSources(): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob('{libs,apps,packages}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules' || name === 'dist' || name === 'fixtures' || name === 'testing',
  }))
    if (!/\.(test|contract)\.tsx?$|\.d\.ts$/.test(file)) files.push(file);
  return files;
}

async function findIn(path: string): Promise<ReturnType<typeof findExpressions>> {
  const text = await readFile(join(ROOT, path), 'utf8');
  return text.includes('/') ? findExpressions(path, text) : { literals: [], made: [] };
}

async function recordMade(files: readonly string[]): Promise<readonly Expression[]> {
  const modules = [...new Set(files)].map((file) => pathToFileURL(join(ROOT, file)).href);
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', RECORDER, ...modules], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => ({ ...(JSON.parse(line) as Omit<Expression, 'place'>), place: 'made of texts' }));
}

/** Those that are not proved linear; each is judged once. */
async function findSlow(expressions: readonly Expression[]): Promise<readonly string[]> {
  const slow: string[] = [];
  const judged = new Set<string>();
  for (const { source, flags, place } of expressions) {
    const key = `/${source}/${flags}`;
    // Without repetition that has no end, no expression can be slow.
    if (judged.has(key) || !/[*+]|\{\d+,\}/.test(source)) continue;
    judged.add(key);
    let found = await check(source, flags, { timeout: 90_000 });
    // Part of the search is bounded by time: on a busy machine a verdict may lack what decides.
    if (found.status !== 'safe') found = await check(source, flags, { timeout: 90_000 });
    if (found.status === 'safe') continue;
    slow.push(`${place} ${key} is ${found.status === 'vulnerable' ? found.complexity.type : 'not proved'}`);
  }
  return slow;
}

function fileOf(place: string): string {
  return place.slice(0, place.lastIndexOf(':'));
}
