import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUILTIN, unreadBuiltins } from '../../../tools/build/unread-builtins.mjs';
import { FORM, ROOT, statesOf } from './bundle-state.mjs';

const ENTRY = 'apps/cli/src/main.ts';
/** A bundle that nothing names any more may still be read by a command that has just begun. */
const KEPT_MS = 3_600_000;
// What CommonJS modules in a bundle ask for modules of Node with.
const BANNER = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/** Bundles the sources into the folder, or where that is not possible into one that goes with this process. */
export async function makeBundle(folder) {
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
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [unreadBuiltins(/^node:/)],
    logLevel: 'warning',
  });
  // One module, of which a command runs its own part: many would each take the time to be found.
  const [{ contents }] = outputFiles;
  const files = Object.keys(metafile.inputs).filter((path) => !path.startsWith(`${BUILTIN}:`));
  const inputs = statesOf(files);
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
  const name = randomUUID();
  mkdirSync(join(folder, name), { recursive: true });
  const bundle = join(name, 'main.mjs');
  writeFileSync(join(folder, bundle), contents);
  const manifest = join(folder, `${name}.json`);
  writeFileSync(manifest, JSON.stringify({ form: FORM, bundle, inputs }));
  renameSync(manifest, join(folder, 'bundle.json'));
  for (const other of readdirSync(folder))
    if (OF_A_BUNDLE.test(other) && other !== name && isOld(join(folder, other)))
      rmSync(join(folder, other), { recursive: true, force: true });
  return join(folder, bundle);
}

/** Its folder; before, it was one file. */
const OF_A_BUNDLE = /^[0-9a-f-]{36}(?:\.mjs)?$/;

function isOld(path) {
  return Date.now() - statSync(path).mtimeMs > KEPT_MS;
}
