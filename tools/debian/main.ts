/** Makes the tarball, and the `.deb` with `dpkg-deb`, of what the build has made: `npm run package:linux -- OUT`. */
import '../help/before-run.ts';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOutPackage } from './lay-out-package.ts';
import { architectureOf, packDebian, packTarball } from './pack.ts';

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('name the folder: npm run package:linux -- OUT');
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { version } = JSON.parse(await readFile(at('package.json'), 'utf8')) as { readonly version: string };
const packing = { version, architecture: architectureOf(process.arch), compression: 'xz' } as const;
const root = await mkdtemp(join(tmpdir(), 'answer-evidence-package-'));
try {
  await layOutPackage(root, { bundleOf: (app) => at(`apps/${app}/dist`), node: process.execPath });
  await mkdir(out, { recursive: true });
  const files = [await packTarball(root, out, packing)];
  if (spawnSync('dpkg-deb', ['--version']).status === 0) files.push(await packDebian(root, out, packing));
  else console.error('dpkg-deb is not installed: only the tarball was made');
  for (const file of files) console.log(`${file} ${((await stat(file)).size / 1e6).toFixed(1)} MB`);
} finally {
  await rm(root, { recursive: true });
}
