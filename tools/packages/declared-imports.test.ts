import { glob, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

type Manifest = {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Only these are missing where a package is used without what it was developed with. */
const TESTS = /\.test\.ts$|\.config\.ts$|\.contract\.ts$|\/fixtures\/|\/testing\//;

const root = await readManifest('.');
const packages = await listPackages();

describe.each(packages)('%s', (path) => {
  it('declares what it imports, and imports what it declares', async () => {
    const manifest = await readManifest(path);
    const sources = await readSources(path);
    const needed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
    const known = new Set([manifest.name, ...needed, ...Object.keys(manifest.devDependencies ?? {})]);
    const undeclared = sources.flatMap(({ file, imported }) =>
      imported
        .filter((name) => !(TESTS.test(file) ? known.has(name) || isTool(name) : needed.has(name)))
        .map((name) => `${file} imports ${name}`),
    );
    const text = sources.map((source) => source.text).join('\n');
    const unused = [...known].filter((name) => name !== manifest.name && !text.includes(`'${name}`));
    expect({ undeclared, unused }).toEqual({ undeclared: [], unused: [] });
  });
});

/** What tests of any package have from the repository, such as the test runner. */
function isTool(name: string): boolean {
  return name in (root.devDependencies ?? {}) && !name.startsWith('@answer-evidence/');
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(`${ROOT}${path}/package.json`, 'utf8')) as Manifest;
}

async function listPackages(): Promise<readonly string[]> {
  const files = await listFiles('{apps,libs,packages}/{*,*/*}/package.json', ROOT);
  return files.filter((file) => !file.includes('node_modules')).map((file) => dirname(file));
}

type Source = { readonly file: string; readonly text: string; readonly imported: readonly string[] };

async function readSources(path: string): Promise<readonly Source[]> {
  const files = await listFiles('{*.config.ts,{src,fixtures}/**/*.{ts,tsx}}', `${ROOT}${path}`);
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(`${ROOT}${path}/${file}`, 'utf8');
      const names = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
      const foreign = names.filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
      return { file: `${path}/${file}`, text, imported: [...new Set(foreign.map(packageOf))] };
    }),
  );
}

async function listFiles(pattern: string, folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: folder })) files.push(file);
  return files;
}

/** `@scope/name` or `name` of what is imported. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
