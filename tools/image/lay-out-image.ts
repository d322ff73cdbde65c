import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPackages, linkLibraries } from '@answer-evidence/postgres-embedded';
import { V8_FLAGS } from '@answer-evidence/runtime/v8-flags';
import { readSbom } from '../supply-chain/read-sbom.ts';
import { formatStart } from './format-start.ts';

/** The commands of the image, and the app that each one runs. */
export const IMAGE_COMMANDS = {
  'answer-evidence-server': 'server',
  'answer-evidence-operator': 'operator',
  'answer-evidence-witness': 'witness',
  'answer-evidence': 'cli',
} as const;

/** An app of the image. */
type ImageApp = (typeof IMAGE_COMMANDS)[keyof typeof IMAGE_COMMANDS];

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = 'opt/answer-evidence';
/** What is in packages for those who build on them, and what is installed beside each. */
const BUILDING = /\/node_modules|\.a$|\/pkgconfig$/;
/** Options of Node with which the service runs. */
export const NODE_OPTIONS = [...V8_FLAGS, '--disable-sigusr1', '--disable-warning=ExperimentalWarning'].join(' ');

/** The folders of packages with native code for one kind of machine, by their names. */
export type NativePackages = Readonly<Record<string, string>>;

/**
 * Writes what the image has beside its base into an empty folder: bundles, commands, licences, bill of materials. With
 * packages for another machine, the native code beside the bundles is left out: they find that of the packages.
 */
export async function layOutImage(
  out: string,
  bundleOf: (app: ImageApp) => string,
  packages: NativePackages = findPackages(),
): Promise<void> {
  const own = findPackages();
  const isForeign = Object.keys(packages).some((name) => !(name in own));
  const isKept = (path: string) => !path.endsWith('.map') && !(isForeign && path.endsWith('.node'));
  for (const [command, app] of Object.entries(IMAGE_COMMANDS)) {
    await cp(bundleOf(app), join(out, PROGRAMS, app), { recursive: true, filter: isKept });
    const main = `/${join(PROGRAMS, app, 'main.js')}`;
    await writeCommand(out, command, formatStart(`node ${NODE_OPTIONS} ${main} "$@"`));
  }
  await cp(fileURLToPath(new URL('health.mjs', import.meta.url)), join(out, PROGRAMS, 'health.mjs'));
  await writeCommand(out, 'answer-evidence-health', `exec node /${PROGRAMS}/health.mjs\n`);
  await layOutNative(out, packages);
  // Without them, the service says how to build them.
  for (const [name, built] of Object.entries({ console: 'apps/console/dist', docs: 'dist/site' }))
    if (existsSync(join(ROOT, built))) await cp(join(ROOT, built), join(out, PROGRAMS, name), { recursive: true });
  await write(out, `${PROGRAMS}/sbom.cdx.json`, `${JSON.stringify(readSbom(), null, 2)}\n`);
  for (const name of ['LICENSE', 'NOTICE']) await cp(join(ROOT, name), join(out, PROGRAMS, name));
}

/** The embedded PostgreSQL with the links that npm cannot pack, and other native code. */
async function layOutNative(out: string, packages: NativePackages): Promise<void> {
  for (const [name, from] of Object.entries(packages)) {
    const native = join(from, 'native');
    if (existsSync(native) && !(await linkLibraries(native)))
      throw new Error(`the libraries of ${native} cannot be linked`);
    await cp(from, join(out, PROGRAMS, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !BUILDING.test(path.slice(from.length)),
    });
  }
}

async function writeCommand(out: string, command: string, script: string): Promise<void> {
  await write(out, `usr/local/bin/${command}`, `#!/bin/sh\n${script}`);
  await chmod(join(out, 'usr/local/bin', command), 0o755);
}

async function write(out: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(out, path)), { recursive: true });
  await writeFile(join(out, path), text);
}
