import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What each file imports by its path, imports of types included. Package boundaries are the linter's. */
async function readImports(): Promise<ReadonlyMap<string, readonly string[]>> {
  const imports = new Map<string, readonly string[]>();
  for await (const file of glob('{libs,apps,packages,tools,e2e}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })) {
    const { importedFiles } = ts.preProcessFile(await readFile(join(ROOT, file), 'utf8'));
    const relative = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
    imports.set(
      file,
      relative.map((name) => join(dirname(file), name)),
    );
  }
  return imports;
}

/** The folders of the repository from the lowest floor up: a file imports nothing from a floor above its own. */
const HOUSE = ['libs/', 'packages/', 'tools/', 'apps/', 'e2e/'];
/** Those of the runtime. Its tests may also use what stands above what they test. */
const RUNTIME = ['ground', 'token-keys', 'work', 'observability', 'open', 'jobs', 'surroundings', 'v8', 'start']
  .concat('witness', 'operator')
  .map((name) => `libs/runtime/src/${name}/`);

/** The imports that run from a floor to one above it. */
function findRising(imports: ReadonlyMap<string, readonly string[]>, floors: readonly string[]): readonly string[] {
  const floorOf = (file: string) => floors.findIndex((start) => file.startsWith(start));
  return [...imports].flatMap(([file, imported]) => {
    const floor = floorOf(file);
    if (floor < 0) return [];
    return imported.filter((name) => floorOf(name) > floor).map((name) => `${file} -> ${name}`);
  });
}

/** The first path found from each file back to itself. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  function visit(file: string): void {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push([...path.slice(at), file].join(' -> '));
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const imported of imports.get(file) ?? []) visit(imported);
    path.pop();
    done.add(file);
  }
  for (const file of imports.keys()) visit(file);
  return cycles;
}

describe('the files', () => {
  it('never import themselves through others, not even for a type', async () => {
    expect(
      findCycles(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b -> c -> b']);
    const imports = await readImports();
    expect(imports.size).toBeGreaterThan(1_000);
    expect(findCycles(imports)).toEqual([]);
  });

  it('import nothing from a floor above their own', async () => {
    expect(
      findRising(
        new Map([
          ['a/x.ts', ['b/y.ts']],
          ['b/y.ts', ['a/x.ts', 'c.ts']],
        ]),
        ['a/', 'b/'],
      ),
    ).toEqual(['a/x.ts -> b/y.ts']);
    const imports = await readImports();
    const files = [...imports.keys()];
    expect([...HOUSE, ...RUNTIME].filter((floor) => !files.some((file) => file.startsWith(floor)))).toEqual([]);
    expect(findRising(imports, HOUSE)).toEqual([]);
    const product = new Map([...imports].filter(([file]) => !file.endsWith('.test.ts')));
    expect(findRising(product, RUNTIME)).toEqual([]);
  });
});
