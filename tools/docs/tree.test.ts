import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Folders that say what they hold wherever they are, and what no reader of a tree looks for. */
const NOT_NAMED = new Set(['src', 'fixtures', 'node_modules', 'dist']);
/** Folders that hold packages: they and the packages in them are named, and so are the folders of code of a package. */
const PLACES = ['apps', 'libs', 'libs/adapters', 'libs/domain', 'libs/formats', 'libs/stages', 'e2e', 'tools'];

const named = readTree(await readFile(`${ROOT}docs/architecture.md`, 'utf8'));

describe('the tree of folders in docs/architecture.md', () => {
  it('names no folder that is not there', async () => {
    const absent = await Promise.all(named.map(async (path) => ((await foldersOf(path)) === undefined ? [path] : [])));
    expect(absent.flat()).toEqual([]);
  });

  it('names every package and every folder of code in one', async () => {
    const packages = (await Promise.all(PLACES.map(childrenOf))).flat().filter((path) => !PLACES.includes(path));
    const parts = (await Promise.all(packages.map((path) => childrenOf(`${path}/src`)))).flat();
    const known = new Set(named);
    expect([...packages, ...parts].filter((path) => !known.has(path))).toEqual([]);
  });
});

/** The paths of the first block of text that begins with `apps/`, which says by two blanks a level what is in what. */
function readTree(page: string): readonly string[] {
  const block = /```text\n(apps\/\n[^]*?\n)```/.exec(page)?.[1] ?? '';
  const above: string[] = [];
  return block.split('\n').flatMap((line) => {
    const [, indent = '', folder] = /^( *)(\S+)\/(?: |$)/.exec(line) ?? [];
    if (folder === undefined) return [];
    above.splice(indent.length / 2, Infinity, folder);
    return [above.join('/')];
  });
}

async function childrenOf(path: string): Promise<readonly string[]> {
  return ((await foldersOf(path)) ?? []).filter((name) => !NOT_NAMED.has(name)).map((name) => `${path}/${name}`);
}

async function foldersOf(path: string): Promise<readonly string[] | undefined> {
  const entries = await readdir(`${ROOT}${path}`, { withFileTypes: true }).catch(() => undefined);
  return entries?.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
