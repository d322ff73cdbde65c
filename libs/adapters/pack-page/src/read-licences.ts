import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const FILES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'];

/** The licence of every package of others whose code is in a bundle, as one text. Throws where a package has none. */
export async function readLicences(root: string, { outputs }: Metafile): Promise<string> {
  const paths = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = new Set(paths.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const texts = await Promise.all([...folders].toSorted().map((folder) => readLicence(join(root, folder))));
  return texts.join('\n\n');
}

async function readLicence(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Readonly<
    Record<string, string>
  >;
  for (const file of FILES)
    try {
      return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  throw new Error(`${name} has no licence text to go into the page; add one, or replace the package`);
}
