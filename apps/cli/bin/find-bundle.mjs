// Imported in the usual way, a module of Node is read export by export, which takes longer than all of this.
const { existsSync, readFileSync, statSync } = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');

/** The folder of the repository. */
export const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Later bundles are of other options. */
export const FORM = 2;
/** What npm writes when it has installed packages; they do not change otherwise. */
const INSTALLED = 'node_modules/.package-lock.json';

/** The path of a bundle of the present sources. Where there is none, it is made, beside the repository's packages. */
export async function findBundle() {
  const folder = process.env.ANSWER_EVIDENCE_CLI_CACHE ?? path.join(ROOT, 'node_modules/.cache/answer-evidence-cli');
  return findFresh(folder) ?? (await (await import('./make-bundle.mjs')).makeBundle(folder));
}

function findFresh(folder) {
  try {
    const { form, bundle, inputs } = JSON.parse(readFileSync(path.join(folder, 'bundle.json'), 'utf8'));
    const isFresh = form === FORM && inputs.every(([file, state]) => stateOf(file) === state);
    return isFresh && existsSync(path.join(folder, bundle)) ? path.join(folder, bundle) : undefined;
  } catch {
    // There is none, or it was made by another version: another is made.
    return undefined;
  }
}

/** What tells whether a bundle of these files is that of the present sources. */
export function statesOf(files) {
  const isInstalled = (file) => existsSync(path.join(ROOT, INSTALLED)) && file.startsWith('node_modules/');
  const watched = new Set(files.map((file) => (isInstalled(file) ? INSTALLED : file)));
  return [...watched].map((file) => [file, stateOf(file)]);
}

/** Changes with the content of a file. */
function stateOf(file) {
  const { mtimeMs, size } = statSync(path.join(ROOT, file));
  return `${mtimeMs} ${size}`;
}
