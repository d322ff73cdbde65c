import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** A package of others whose code is in a bundle. */
export type Bundled = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
};

/** What a bundle is made for: a condition of `exports`. */
export type Condition = 'browser' | 'default';

type BundleOptions = {
  readonly condition: Condition;
  readonly outfile: string;
  readonly external: readonly string[];
  /** Whether it is a command, which a shell can start. */
  readonly isProgram: boolean;
};

/** `require` is what CommonJS modules in a bundle ask for the modules of Node with. */
const PROGRAM_START = `#!/usr/bin/env node
import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/**
 * Bundles one entry into an ES module with a source map, and says whose code is in it. Nothing is minified: somebody
 * may want to read what they trust.
 */
export async function bundleSources(
  root: string,
  entry: string,
  { condition, outfile, external, isProgram }: BundleOptions,
): Promise<readonly Bundled[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: condition === 'browser' ? 'browser' : 'node',
    target: ['node20', 'es2022'],
    sourcemap: true,
    sourcesContent: true,
    legalComments: 'inline',
    charset: 'utf8',
    external: [...external],
    ...(isProgram ? { banner: { js: PROGRAM_START } } : {}),
    logLevel: 'warning',
  });
  const output = Object.values(metafile.outputs).find((one) => one.entryPoint !== undefined);
  const folders = new Set(
    Object.entries(output?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  return Promise.all([...folders].toSorted().map((folder) => readLicence(join(root, folder))));
}

async function readLicence(folder: string): Promise<Bundled> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Omit<Bundled, 'text'>;
  for (const name of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'])
    try {
      const text = await readFile(join(folder, name), 'utf8');
      return { name: manifest.name, version: manifest.version, license: manifest.license, text: text.trim() };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  throw new Error(`${dirname(folder)}: ${manifest.name} has no licence text to go into the package`);
}
