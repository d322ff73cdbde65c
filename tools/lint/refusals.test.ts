import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const CONFIGURATION = ['.oxlintrc.json', 'nx.json', 'package.json', 'tsconfig.base.json'];
/** Which projects there are and what they are tagged; Nx keeps it for the linter. */
const GRAPH = '.nx/workspace-data';

const LAYERS = 'nx(enforce-module-boundaries)';
/** Files by the rules that refuse them, each once per fault. A file may be anywhere that its project has sources. */
const FILES: Readonly<Record<string, { readonly text: string; readonly refusedBy: readonly string[] }>> = {
  'libs/stages/ingest/src/higher-layer.ts': { text: `export * from '@answer-evidence/postgres';`, refusedBy: [LAYERS] },
  'libs/stages/ingest/src/type-of-a-higher-layer.ts': {
    text: `export type { ServicePool } from '@answer-evidence/postgres';`,
    refusedBy: [LAYERS],
  },
  'libs/stages/ingest/src/higher-layer-later.ts': {
    text: `export const later = (): unknown => import('@answer-evidence/postgres');`,
    refusedBy: [LAYERS],
  },
  'libs/domain/note/src/package-from-outside.ts': { text: `export * from 'pg';`, refusedBy: [LAYERS] },
  'libs/domain/note/src/type-from-outside.ts': { text: `export type { Pool } from 'pg';`, refusedBy: [LAYERS] },
  'libs/domain/digest/src/circle.ts': { text: `export * from '@answer-evidence/merkle';`, refusedBy: [LAYERS] },
  'libs/domain/merkle/src/itself.ts': { text: `export * from '@answer-evidence/merkle';`, refusedBy: [LAYERS] },
  'libs/stages/ingest/src/path-into-another-project.ts': {
    text: `export * from '../../../ports/src/index.ts';`,
    refusedBy: [LAYERS],
  },
  'libs/domain/note/src/world.ts': {
    text: [
      `export { readFileSync } from 'node:fs';`,
      `export { readFile } from 'node:fs/promises';`,
      'export const directory = process.cwd();',
      'export const now = Date.now();',
      'export const chance = Math.random();',
      `export const parsed: unknown = JSON.parse('{}');`,
    ].join('\n'),
    refusedBy: [
      'eslint(no-restricted-globals)',
      'eslint(no-restricted-imports)',
      'eslint(no-restricted-imports)',
      ...Array<string>(3).fill('eslint(no-restricted-properties)'),
    ],
  },
  'libs/runtime/src/types.ts': {
    text: [
      'async function wait(): Promise<void> {',
      '  await Promise.resolve();',
      '}',
      'export function start(given: any): void {',
      '  const never = 1;',
      '  wait();',
      '}',
    ].join('\n'),
    refusedBy: [
      'eslint(no-unused-vars)',
      'eslint(no-unused-vars)',
      'typescript(no-explicit-any)',
      'typescript(no-floating-promises)',
    ],
  },
  'libs/runtime/src/order.ts': {
    text: `import { b } from './b.ts';\nimport { readFile } from 'node:fs/promises';\nexport const both = [b, readFile];\n`,
    refusedBy: ['simple-import-sort(imports)'],
  },
  'libs/runtime/src/b.ts': { text: 'export const b = 1;', refusedBy: [] },
  'libs/runtime/src/allowed.ts': { text: `export * from '@answer-evidence/postgres';`, refusedBy: [] },
  'libs/adapters/postgres/src/allowed.ts': { text: `export * from 'pg';`, refusedBy: [] },
  'libs/domain/note/src/world.test.ts': { text: `export { readFile } from 'node:fs/promises';`, refusedBy: [] },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-lint-'));
  if (!existsSync(join(REPOSITORY, GRAPH, 'project-graph.json')))
    execFileSync(process.execPath, [join(REPOSITORY, 'node_modules/nx/dist/bin/nx.js'), 'show', 'projects'], {
      cwd: REPOSITORY,
    });
  await cp(join(REPOSITORY, GRAPH), join(folder, GRAPH), { recursive: true });
  for (const name of CONFIGURATION) await cp(join(REPOSITORY, name), join(folder, name));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: './tsconfig.base.json', compilerOptions: { types: ['node'] }, include: ['libs'] }),
  );
  // Without the projects, whose types would all be read.
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(REPOSITORY, 'node_modules')))
    if (name !== '@answer-evidence')
      await symlink(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name));
  for (const [path, { text }] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

it('the linter refuses imports against the layers, the world in layers that decide, and faults of types', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(REPOSITORY, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', 'libs'],
    { cwd: folder, env: { ...process.env, NX_DAEMON: 'false', NX_WORKSPACE_ROOT_PATH: folder } },
  ).catch((error: unknown) => error as { stdout: string });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { readonly code: string; readonly filename: string }[] };
  const refused = Object.keys(FILES).map((path) => [
    path,
    diagnostics
      .filter(({ filename }) => filename === path)
      .map(({ code }) => code)
      .toSorted(),
  ]);
  expect(Object.fromEntries(refused)).toEqual(
    Object.fromEntries(Object.entries(FILES).map(([path, { refusedBy }]) => [path, refusedBy.toSorted()])),
  );
  expect(diagnostics.filter(({ filename }) => !(filename in FILES)).map(({ filename }) => basename(filename))).toEqual(
    [],
  );
});
