/** Builds every published package into `dist/packages/`, as a folder and as a tarball: `npm run packages [NAME...]`. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildPackage } from './build-package.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OUT = join(ROOT, 'dist/packages');

const folders = globSync('packages/*/package.json', { cwd: ROOT }).map((file) => dirname(file));
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !folders.includes(`packages/${name}`));
if (unknown !== undefined) {
  console.error(`no package ${unknown}; there are ${folders.map((folder) => basename(folder)).join(', ')}`);
  process.exitCode = 2;
} else {
  await mkdir(OUT, { recursive: true });
  for (const folder of folders.filter((one) => wanted.length === 0 || wanted.includes(basename(one)))) {
    const out = join(OUT, basename(folder));
    await buildPackage(ROOT, folder, out);
    const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', OUT], { cwd: out });
    const [packed] = JSON.parse(stdout) as [Packed];
    console.log(`dist/packages/${packed.filename}  ${kib(packed.size)} packed, ${kib(packed.unpackedSize)} unpacked`);
  }
}

type Packed = { readonly filename: string; readonly size: number; readonly unpackedSize: number };

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KiB`;
}
