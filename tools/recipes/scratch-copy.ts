import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A copy of the sources that a recipe is applied to. */
export type ScratchCopy = {
  readonly folder: string;
  /** The files that were edited or added, in that order. */
  readonly edited: readonly string[];
  read(path: string): string;
  /** Replaces a piece of a file that is there once. */
  replace(path: string, piece: string, by: string): void;
  add(path: string, text: string): void;
  /** Has a new package found by its name, as `npm install` does. */
  link(name: string, path: string): void;
};

/** Copies what git knows of the repository into an empty folder, with the packages that are installed. */
export function openScratchCopy(root: string, folder: string): ScratchCopy {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const path of listed.split('\n'))
    if (path !== '' && !LARGE.test(path)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
  // The packages of the repository are links to its folders, which must be those of the copy.
  mkdirSync(join(folder, 'node_modules/@answer-evidence'), { recursive: true });
  const modules = join(root, 'node_modules');
  for (const name of readdirSync(modules))
    if (name !== '@answer-evidence') symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  cpSync(join(modules, '@answer-evidence'), join(folder, 'node_modules/@answer-evidence'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  // A package that needs another version of something than the others has it in its own folder.
  for (const path of listed.split('\n').filter((one) => one.endsWith('/package.json'))) {
    const own = join(dirname(path), 'node_modules');
    if (existsSync(join(root, own))) symlinkSync(join(root, own), join(folder, own));
  }
  const edited: string[] = [];
  const note = (path: string) => void (edited.includes(path) || edited.push(path));
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  return {
    folder,
    edited,
    read,
    replace(path, piece, by) {
      const parts = read(path).split(piece);
      if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${piece}`);
      writeFileSync(join(folder, path), parts.join(by));
      note(path);
    },
    add(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
      note(path);
    },
    link(name, path) {
      symlinkSync(join(folder, path), join(folder, 'node_modules', name));
    },
  };
}

/** What no recipe touches. */
const LARGE = /^(?:tools\/otlp-recordings\/recordings|conformance\/v\d|docs\/images|e2e\/frozen)\//;
