// Imported in the usual way, a module of Node is read export by export, which takes longer than all of this.
const { existsSync, statSync } = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');

/** The folder of the repository. */
export const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Later bundles are of other options. */
export const FORM = 2;
/** What npm writes when it has installed packages; they do not change otherwise. */
const INSTALLED = 'node_modules/.package-lock.json';

/** What tells whether a bundle of these files is that of the present sources. */
export function statesOf(files) {
  const isInstalled = (file) => existsSync(path.join(ROOT, INSTALLED)) && file.startsWith('node_modules/');
  const watched = new Set(files.map((file) => (isInstalled(file) ? INSTALLED : file)));
  return [...watched].map((file) => [file, stateOf(file)]);
}

/** Changes with the content of a file. */
export function stateOf(file) {
  const { mtimeMs, size } = statSync(path.join(ROOT, file));
  return `${mtimeMs} ${size}`;
}
