import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addControl } from './lay-out-package.ts';

const run = promisify(execFile);
/** The only time in a package, so that two builds of the same sources are the same. */
const EPOCH = '1577836800';
const DEBIAN = { x64: 'amd64', arm64: 'arm64' } as const;

/** How a package is made of the root of an installation. */
type Packing = {
  readonly version: string;
  readonly architecture: keyof typeof DEBIAN;
  /** `none` is for tests, which have no time to spare. */
  readonly compression: 'xz' | 'none';
};

/** The kind of machine that the Node of this process is for. Throws for one that packages are not made for. */
export function architectureOf(name: string): keyof typeof DEBIAN {
  if (name !== 'x64' && name !== 'arm64') throw new Error(`packages are made on x64 and arm64, not on ${name}`);
  return name;
}

/** Packs a root into `folder` for `tar`, and returns the file. */
export async function packTarball(root: string, folder: string, packing: Packing): Promise<string> {
  const { version, architecture, compression } = packing;
  const file = join(folder, `answer-evidence-${version}-linux-${architecture}.tar${compression === 'xz' ? '.xz' : ''}`);
  const stable = ['--sort=name', `--mtime=@${EPOCH}`, '--owner=0', '--group=0', '--numeric-owner'];
  const pack = compression === 'xz' ? ['--xz'] : [];
  await run('tar', ['--create', `--file=${file}`, ...pack, ...stable, `--directory=${root}`, 'opt', 'usr']);
  return file;
}

/** Packs a root into `folder` for `dpkg`, and returns the file. The root is as it was afterwards. */
export async function packDebian(root: string, folder: string, packing: Packing): Promise<string> {
  const architecture = DEBIAN[packing.architecture];
  const file = join(folder, `answer-evidence_${packing.version}_${architecture}.deb`);
  await addControl(root, { version: packing.version, architecture });
  try {
    const args = ['--root-owner-group', `-Z${packing.compression}`, '--build', root, file];
    await run('dpkg-deb', args, { env: { ...process.env, SOURCE_DATE_EPOCH: EPOCH } });
  } finally {
    await rm(join(root, 'DEBIAN'), { recursive: true });
  }
  return file;
}
