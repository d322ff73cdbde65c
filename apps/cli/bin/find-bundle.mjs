import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENTRY = 'apps/cli/src/main.ts';
/** Later bundles are of other options. */
const FORM = 1;
/** A bundle that nothing names any more may still be read by a command that has just begun. */
const KEPT_MS = 3_600_000;
// What CommonJS modules in a bundle ask for modules of Node with.
const BANNER = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/** The path of a bundle of the present sources. Where there is none, it is made, beside the repository's packages. */
export async function findBundle() {
  const folder = process.env.ANSWER_EVIDENCE_CLI_CACHE ?? join(ROOT, 'node_modules/.cache/answer-evidence-cli');
  return findFresh(folder) ?? (await makeBundle(folder));
}

function findFresh(folder) {
  try {
    const { form, bundle, inputs } = JSON.parse(readFileSync(join(folder, 'bundle.json'), 'utf8'));
    const isFresh = form === FORM && inputs.every(([path, state]) => stateOf(path) === state);
    return isFresh && statSync(join(folder, bundle)).isFile() ? join(folder, bundle) : undefined;
  } catch {
    // There is none, or it was made by another version: another is made.
    return undefined;
  }
}

/** Changes with the content of a file, and with an installation of another version of it. */
function stateOf(path) {
  const { mtimeMs, size } = statSync(resolve(ROOT, path));
  return `${mtimeMs} ${size}`;
}

async function makeBundle(folder) {
  // Only where it is needed: a bundle that is there starts without it.
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    bundle: true,
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: BANNER },
    logLevel: 'warning',
  });
  const [{ contents }] = outputFiles;
  const inputs = Object.keys(metafile.inputs).map((path) => [path, stateOf(path)]);
  try {
    return keep(folder, contents, inputs);
  } catch {
    // The repository may belong to another user. A folder that others could have made is not trusted for the next time.
    const own = mkdtempSync(join(tmpdir(), 'answer-evidence-cli-'));
    process.on('exit', () => rmSync(own, { recursive: true, force: true }));
    return keep(own, contents, inputs);
  }
}

/** Two commands may do this at once: each file is complete when it gets its name. */
function keep(folder, contents, inputs) {
  mkdirSync(folder, { recursive: true });
  const bundle = `${randomUUID()}.mjs`;
  writeFileSync(join(folder, bundle), contents);
  const manifest = join(folder, `${bundle}.json`);
  writeFileSync(manifest, JSON.stringify({ form: FORM, bundle, inputs }));
  renameSync(manifest, join(folder, 'bundle.json'));
  for (const name of readdirSync(folder))
    if (/^[0-9a-f-]{36}\.mjs$/.test(name) && name !== bundle && isOld(join(folder, name))) rmSync(join(folder, name));
  return join(folder, bundle);
}

function isOld(path) {
  return Date.now() - statSync(path).mtimeMs > KEPT_MS;
}
