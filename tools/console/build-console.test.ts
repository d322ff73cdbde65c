import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildConsole } from './build-console.ts';

const VITE = `
import { mkdirSync, writeFileSync, existsSync } from 'node:fs';
if (existsSync('broken')) process.exit(1);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.html', 'built');
`;

let root: string;
let said: string[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'answer-evidence-build-'));
  for (const folder of ['apps/console/src', 'libs/client/src', 'node_modules/vite/bin'])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'node_modules/vite/package.json'), '{"type":"module"}');
  await writeFile(join(root, 'node_modules/vite/bin/vite.js'), VITE);
  await writeFile(join(root, 'package-lock.json'), '{}');
  await writeFile(join(root, 'apps/console/src/main.tsx'), 'one');
});
afterAll(() => rm(root, { recursive: true, force: true }));

function build(isIfNeeded = true) {
  said = [];
  return buildConsole(root, { isIfNeeded, report: (line) => said.push(line) });
}

it('builds where something has changed that the pages are made of, and only then', async () => {
  expect(await build()).toBe('absent');
  await writeFile(join(root, 'apps/console/package.json'), '{}');
  expect([await build(), said.length]).toEqual(['built', 1]);
  expect([await build(), said.length]).toEqual(['unchanged', 0]);
  await writeFile(join(root, 'libs/client/src/call.ts'), 'two');
  expect(await build()).toBe('built');
  await writeFile(join(root, 'libs/client/src/call.test.ts'), 'a test');
  expect(await build()).toBe('unchanged');
  expect(await build(false)).toBe('built');
  await writeFile(join(root, 'package-lock.json'), '{"lockfileVersion":3}');
  expect(await build()).toBe('built');
});

it('says how to learn why it could not be built, and tries again the next time', async () => {
  await writeFile(join(root, 'apps/console/broken'), '');
  expect(await build()).toBe('failed');
  expect(said.join()).toContain('npm run console:build');
  await rm(join(root, 'apps/console/broken'));
  await writeFile(join(root, 'apps/console/src/main.tsx'), 'three');
  expect(await build()).toBe('built');
});

it('is built by npm start itself, since npm runs nothing before or after a script here', async () => {
  const repository = new URL('../../', import.meta.url);
  const { scripts } = JSON.parse(await readFile(new URL('package.json', repository), 'utf8'));
  expect(await readFile(new URL('.npmrc', repository), 'utf8')).toContain('ignore-scripts=true');
  expect(Object.keys(scripts).filter((name) => scripts[name.replace(/^(?:pre|post)/, '')] !== scripts[name])).toEqual(
    [],
  );
  expect(scripts.start).toMatch(/npm run --silent console:build -- --if-needed .* build "\$@" && exec node /);
});
