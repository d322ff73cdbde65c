import { FORM, ROOT, stateOf } from './bundle-state.mjs';

const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');

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
