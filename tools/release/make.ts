import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isInstalled } from '@answer-evidence/testing';
import { layOutPackage } from '../debian/lay-out-package.ts';
import { architectureOf, packDebian, packTarball } from '../debian/pack.ts';
import { buildImages } from '../oci/build-images.ts';
import { packChart } from '../oci/chart.ts';
import { openLayout } from '../oci/layout.ts';
import { openNativePackages } from '../oci/native-packages.ts';
import { buildAll } from '../packages/build/build-all.ts';
import { readSbom } from '../supply-chain/read-sbom.ts';
import { findBase } from './find-base.ts';
import { run } from './run.ts';

/** What a release is made from, and where. */
export type Making = {
  readonly root: string;
  /** Gets what is published, and nothing else. */
  readonly out: string;
  /** For what is needed on the way. */
  readonly work: string;
  /** Where the Python tools are. */
  readonly tools: string;
  readonly version: string;
  readonly base: string | undefined;
  readonly revision: string;
  /** The time of the commit, in seconds. */
  readonly time: number;
};

/** The files that were made, by what they are, and what could not be made. */
export type Made = {
  readonly packages: readonly string[];
  readonly python: readonly string[];
  readonly linux: readonly string[];
  readonly chart: readonly string[];
  readonly materials: string;
  /** Outside of the release if it stands on a stand-in. */
  readonly image: { readonly file: string; readonly platforms: readonly string[]; readonly standIn?: string };
  readonly missing: readonly string[];
};

/** Makes everything that a release has and that needs no account. */
export async function makeRelease(making: Making): Promise<Made> {
  const { root, out, work, version, time } = making;
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await mkdir(work, { recursive: true });
  const packages = await buildAll(root, join(work, 'packages'), out);
  console.log('building the Python package');
  const python = await buildPython(making);
  console.log('packing the service for Linux');
  const { files: linux, missing } = await packLinux(making);
  console.log('making the image and the chart');
  const image = await makeImage(making);
  const chart = await packChart(await openLayout(await mkdtemp(join(work, 'chart-'))), out, time);
  const materials = `answer-evidence-${version}.cdx.json`;
  await writeFile(join(out, materials), `${JSON.stringify(readSbom(), undefined, 2)}\n`);
  return { packages, python, linux, chart: chart.map((file) => basename(file)), materials, image, missing };
}

async function buildPython({ root, out, work, tools, time }: Making): Promise<readonly string[]> {
  const built = await mkdtemp(join(work, 'python-'));
  await run(join(tools, 'bin/python'), ['-m', 'hatchling', 'build', '--directory', built], {
    cwd: join(root, 'packages/python'),
    env: { SOURCE_DATE_EPOCH: String(time) },
  });
  const names = (await run('ls', [built])).trim().split('\n');
  for (const name of names) await copyFile(join(built, name), join(out, name));
  return names;
}

async function packLinux({ root, out, work, version }: Making) {
  const folder = await mkdtemp(join(work, 'linux-'));
  const packing = { version, architecture: architectureOf(process.arch), compression: 'xz' } as const;
  await layOutPackage(folder, { bundleOf: (app) => join(root, 'apps', app, 'dist'), node: process.execPath });
  const files = [await packTarball(folder, out, packing)];
  const hasDebian = isInstalled('dpkg-deb');
  if (hasDebian) files.push(await packDebian(folder, out, packing));
  await rm(folder, { recursive: true });
  return {
    files: files.map((file) => basename(file)),
    missing: hasDebian ? [] : ['the Debian package: dpkg-deb is not installed'],
  };
}

async function makeImage({ root, out, work, base: given, revision, time }: Making): Promise<Made['image']> {
  const folder = await mkdtemp(join(work, 'image-'));
  const { file: base, platforms, standIn } = await findBase(root, folder, given);
  const file = await buildImages(await mkdtemp(join(work, 'layout-')), {
    out: standIn === undefined ? out : folder,
    base,
    platforms,
    revision,
    time,
    bundleOf: (app) => join(root, 'apps', app, 'dist'),
    packagesOf: (architecture) => openNativePackages(architecture, join(folder, 'packages', architecture)),
  });
  return { file, platforms, ...(standIn === undefined ? {} : { standIn }) };
}
