import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with a file for each convention or framework whose names are known. */
const FOLDER = fileURLToPath(new URL('../../libs/domain/otlp-mapping/src/dialects/', import.meta.url));

const FILE = 'order.ts';

/** The list of dialects as it should be, and as it is. */
type DialectList = { readonly path: string; readonly text: string; readonly present: string };

/** The list of all dialects of a folder: in the order that it has, and behind it those that are new. */
export async function listDialects(folder = FOLDER): Promise<DialectList> {
  const path = join(folder, FILE);
  const present = await readFile(path, 'utf8');
  const fileOf = new Map<string, string>();
  for (const file of (await readdir(folder)).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const [, name] = /^export const (\w+): Dialect = /m.exec(await readFile(join(folder, file), 'utf8')) ?? [];
    if (name !== undefined) fileOf.set(name, file);
  }
  const [, listed = ''] = /= \[\n([^\]]*)\];/.exec(present) ?? [];
  const known = [...listed.matchAll(/(\w+),/g)].map(([, name = '']) => name).filter((name) => fileOf.has(name));
  const names = [...known, ...[...fileOf.keys()].filter((name) => !known.includes(name))];
  const lines = names.map((name) => ({
    file: fileOf.get(name) ?? '',
    text: `import { ${name} } from './${fileOf.get(name)}';`,
  }));
  const imports = [...lines, { file: 'dialect.ts', text: "import type { Dialect } from './dialect.ts';" }]
    // The extension takes no part in how the linter sorts.
    .toSorted((a, b) => (a.file.slice(0, -3) < b.file.slice(0, -3) ? -1 : 1))
    .map(({ text }) => text);
  const [, rest = ''] = /\n\n(\/\*\*[^]*= \[\n)/.exec(present) ?? [];
  return { path, text: `${imports.join('\n')}\n\n${rest}${names.map((name) => `  ${name},\n`).join('')}];\n`, present };
}
