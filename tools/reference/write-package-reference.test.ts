import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSources, REFERENCED, writePackageReference } from './write-package-reference.ts';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ae-reference-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the reference pages', () => {
  let sources: ReturnType<typeof readSources>;
  beforeAll(() => {
    sources = readSources(ROOT);
  });

  it.each(REFERENCED)('of %s describe every public name', async (name) => {
    const out = join(folder, name);
    expect(await writePackageReference(ROOT, name, out, sources)).toEqual([]);
    expect(await readFile(join(out, 'index.html'), 'utf8')).toContain(`@answer-evidence/${name}`);
  });

  it('name what has no description, and links to nothing', async () => {
    const root = join(folder, 'root');
    const source = join(root, 'packages/small/src');
    await mkdir(source, { recursive: true });
    await mkdir(join(root, 'tools/reference'), { recursive: true });
    await cp(join(ROOT, 'tsconfig.base.json'), join(root, 'tsconfig.base.json'));
    await writeFile(
      join(root, 'tools/reference/tsconfig.json'),
      '{"extends":"../../tsconfig.base.json","compilerOptions":{"lib":["ES2024"]},"include":["../../packages/*/src"]}',
    );
    await writeFile(
      join(root, 'packages/small/package.json'),
      '{"name":"small","publish":{"name":"small"},"exports":{".":"./src/index.ts"}}',
    );
    await writeFile(join(root, 'packages/small/README.md'), '# small\n');
    await writeFile(
      join(source, 'index.ts'),
      'export function silent(): void {}\n/** Like {@link missing}. */\nexport function linked(): void {}\n',
    );
    expect(await writePackageReference(root, 'small', join(folder, 'small'))).toEqual([
      expect.stringMatching(/silent.*does not have any documentation/),
      expect.stringMatching(/"missing" in comment for linked/),
    ]);
  });
});
