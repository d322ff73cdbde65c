/**
 * Builds what is published into `dist/packages/`: a folder and a tarball for each package, the verifier as one program
 * and as one page, and a manifest with the SHA-256 of each file. `npm run packages`; with `-- --sign KEYFILE`, it signs
 * the manifest.
 */
import '../../help/before-run.ts';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildAll } from './build-all.ts';
import { signRelease, writeRelease } from './write-release.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const OUT = join(ROOT, 'dist/packages');

const { sign: keyFile } = parseArgs({ options: { sign: { type: 'string' } } }).values;
// A key that is not there is found before the build, not after it.
if (keyFile !== undefined) await access(keyFile);
await rm(OUT, { recursive: true, force: true });
const release = await writeRelease(ROOT, OUT, await buildAll(ROOT, OUT, OUT));
for (const { name, size_bytes: size } of release.files)
  console.log(`dist/packages/${name}  ${(size / 1024).toFixed(0)} KiB`);
if (keyFile !== undefined) await signRelease(OUT, keyFile);
console.log(
  `dist/packages/release.json${keyFile === undefined ? ', not signed' : ' and release.json.sig'}, SHA256SUMS`,
);
