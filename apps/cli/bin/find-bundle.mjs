// Imported in the usual way, a module of Node is read export by export, which takes longer than all of this.
const { existsSync, readFileSync, statSync } = process.getBuiltinModule('node:fs');
const { join, resolve } = process.getBuiltinModule('node:path');

/** The folder of the repository. */
export const ROOT = resolve(import.meta.dirname, '../../..');
/** Later bundles are of other options. */
export const FORM = 2;
/** What npm writes when it has installed packages; they do not change otherwise. */
const INSTALLED = 'node_modules/.package-lock.json';

/** The path of a bundle of the present sources. Where there is none, it is made, beside the repository's packages. */
export async function findBundle() {
  const folder = process.env.ANSWER_EVIDENCE_CLI_CACHE ?? join(ROOT, 'node_modules/.cache/answer-evidence-cli');
  return findFresh(folder) ?? (await (await import('./make-bundle.mjs')).makeBundle(folder));
}

function findFresh(folder) {
  try {
    const { form, bundle, inputs } = JSON.parse(readFileSync(join(folder, 'bundle.json'), 'utf8'));
    const isFresh = form === FORM && inputs.every(([path, state]) => stateOf(path) === state);
    return isFresh && existsSync(join(folder, bundle)) ? join(folder, bundle) : undefined;
  } catch {
    // There is none, or it was made by another version: another is made.
    return undefined;
  }
}

/** What tells whether a bundle of these files is that of the present sources. */
export function statesOf(files) {
  const isInstalled = (path) => existsSync(join(ROOT, INSTALLED)) && path.startsWith('node_modules/');
  const watched = new Set(files.map((path) => (isInstalled(path) ? INSTALLED : path)));
  return [...watched].map((path) => [path, stateOf(path)]);
}

/** Changes with the content of a file. */
function stateOf(path) {
  const { mtimeMs, size } = statSync(join(ROOT, path));
  return `${mtimeMs} ${size}`;
}
