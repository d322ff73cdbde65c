import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOutImage } from '../image/lay-out-image.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = 'opt/answer-evidence';
const NODE = `/${PROGRAMS}/bin/node`;
// Below usr: where /lib is a link, an archive that has it as a folder would replace the link.
const UNITS = 'usr/lib/systemd/system';

/** What a unit of the repository says of its sources, and what stands in its place beside bundles. */
const OF_SOURCES: readonly (readonly [string, string])[] = [
  [`/${PROGRAMS}/node_modules/.bin/node`, NODE],
  ['apps/all-in-one/src/main.ts', 'server/main.js'],
  ['apps/operator/src/main.ts', 'operator/main.js'],
  [
    'Environment=NODE_ENV=production ',
    `Environment=NODE_ENV=production SERVICE_CONSOLE_DIR=/${PROGRAMS}/console SERVICE_DOCS_DIR=/${PROGRAMS}/docs `,
  ],
];

/**
 * Writes the root of an installation into an empty folder: what the image has, Node beside it, the commands in
 * `/usr/bin`, the units, and `setup`, which makes the user and the key.
 */
export async function layOutPackage(
  out: string,
  { bundleOf, node }: { readonly bundleOf: Parameters<typeof layOutImage>[1]; readonly node: string },
): Promise<void> {
  await layOutImage(out, bundleOf);
  await put(out, `${PROGRAMS}/bin/node`, await readFile(node), 0o755);
  const commands = join(out, 'usr/local/bin');
  for (const name of await readdir(commands)) {
    const text = await readFile(join(commands, name), 'utf8');
    const own = text.replace(/\bexec node /, `exec ${NODE} `);
    if (own === text) throw new Error(`the command ${name} of the image does not run node as it did`);
    await put(out, `usr/bin/${name}`, own, 0o755);
  }
  await rm(join(out, 'usr/local'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'deploy/systemd')))
    await put(out, `${UNITS}/${name}`, ofPackage(name, await readFile(join(ROOT, 'deploy/systemd', name), 'utf8')));
  await put(out, `${PROGRAMS}/setup`, await readFile(join(ROOT, 'deploy/debian/setup')), 0o755);
}

/** A unit that runs bundles. Throws for one that would still run sources. */
function ofPackage(name: string, text: string): string {
  const own = OF_SOURCES.reduce((unit, [from, to]) => unit.replace(from, to), text);
  if (/node_modules|\.ts\b|docs\//.test(own.replace(/^#.*$/gm, '')))
    throw new Error(`the unit ${name} would run sources: look at OF_SOURCES`);
  return own;
}

async function put(out: string, path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  const file = join(out, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  await chmod(file, mode);
}

/** Makes the root of an installation one of a Debian package: what `dpkg` asks for before and after. */
export async function addControl(
  root: string,
  { version, architecture }: { readonly version: string; readonly architecture: string },
): Promise<void> {
  const sizeKib = Math.ceil((await sizeOf(root)) / 1024);
  await put(
    root,
    'DEBIAN/control',
    `Package: answer-evidence
Version: ${version}
Architecture: ${architecture}
Maintainer: Answer Evidence Service <operators@answer-evidence.invalid>
Installed-Size: ${sizeKib}
Depends: libc6 (>= 2.28), libstdc++6, passwd
Recommends: systemd
Section: net
Priority: optional
Description: append-only ledger of answer evidence
 The whole service in one process, with its own PostgreSQL, Node and console,
 units for systemd, and the commands of operators.
`,
  );
  for (const name of ['postinst', 'prerm', 'postrm'])
    await put(root, `DEBIAN/${name}`, await readFile(join(ROOT, 'deploy/debian', name)), 0o755);
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
