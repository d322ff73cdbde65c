/**
 * Builds what is published into `dist/packages/`: a folder and a tarball for each package, the verifier as one program
 * and as one page, and the SHA-256 of each file. `npm run packages`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildPackage } from './build-package.ts';
import { buildPage } from './build-page.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OUT = join(ROOT, 'dist/packages');
const PROGRAM = 'answer-evidence-verify.mjs';
const PAGE = 'verify.html';

await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
const files: string[] = [];
for (const folder of globSync('packages/*/package.json', { cwd: ROOT })
  .map((file) => dirname(file))
  .sort()) {
  console.log(`building ${folder}`);
  const out = join(OUT, basename(folder));
  await buildPackage(ROOT, folder, out);
  const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', OUT], { cwd: out });
  files.push(stdout.trim());
}
await copyFile(join(OUT, 'cli/dist/answer-evidence-verify.js'), join(OUT, PROGRAM));
await buildPage(ROOT, join(OUT, PAGE));
const sums: string[] = [];
for (const file of [...files, PROGRAM, PAGE]) {
  const bytes = await readFile(join(OUT, file));
  sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${file}`);
  console.log(`dist/packages/${file}  ${(bytes.length / 1024).toFixed(0)} KiB`);
}
await writeFile(join(OUT, 'SHA256SUMS'), `${sums.join('\n')}\n`);
console.log('dist/packages/SHA256SUMS');
