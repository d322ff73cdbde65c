/**
 * Builds what is published into `dist/packages/`: a folder and a tarball for each package, the verifier as one program
 * and as one page, and a manifest with the SHA-256 of each file. `npm run packages`; with `-- --sign KEYFILE`, it signs
 * the manifest.
 */
import '../../help/before-run.ts';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { access, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { buildVerifierPage } from '../../../libs/adapters/pack-page/src/build-page.ts';
import { buildPackage } from './build-package.ts';
import { signRelease, writeRelease } from './write-release.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OUT = join(ROOT, 'dist/packages');
const PROGRAM = 'answer-evidence-verify.mjs';
const PAGE = 'verify.html';

const { sign: keyFile } = parseArgs({ options: { sign: { type: 'string' } } }).values;
// A key that is not there is found before the build, not after it.
if (keyFile !== undefined) await access(keyFile);
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
await writeFile(join(OUT, PAGE), await buildVerifierPage());
const release = await writeRelease(ROOT, OUT, [...files, PROGRAM, PAGE]);
for (const { name, size_bytes: size } of release.files)
  console.log(`dist/packages/${name}  ${(size / 1024).toFixed(0)} KiB`);
if (keyFile !== undefined) await signRelease(OUT, keyFile);
console.log(
  `dist/packages/release.json${keyFile === undefined ? ', not signed' : ' and release.json.sig'}, SHA256SUMS`,
);
