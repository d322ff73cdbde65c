import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** A package of others whose code is in a bundle. */
export type BundledPackage = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The text of its licence; undefined where the package brings none. */
  readonly text: string | undefined;
};

const NO_TEXT = 'The package brings no text of this licence.';
const FILE = /^licen[cs]e(?:[-.].*)?$/i;

/** Every package of others whose code is in a bundle, by folder. */
export async function readLicences(root: string, { outputs }: Metafile): Promise<readonly BundledPackage[]> {
  const paths = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = new Set(paths.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return Promise.all([...folders].toSorted().map((folder) => readLicence(join(root, folder))));
}

/** The packages by name with the texts of their licences, for people. */
export function formatLicences(packages: readonly BundledPackage[]): string {
  const parts = packages
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text ?? NO_TEXT}\n`);
  return `This contains code of the following packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

async function readLicence(folder: string): Promise<BundledPackage> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Omit<
    BundledPackage,
    'text'
  >;
  const file = (await readdir(folder)).find((one) => FILE.test(one));
  return {
    name,
    version,
    license,
    text: file === undefined ? undefined : (await readFile(join(folder, file), 'utf8')).trim(),
  };
}
