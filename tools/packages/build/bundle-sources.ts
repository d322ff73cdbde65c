import { build } from 'esbuild';
import { type BundledPackage, readLicences } from '@answer-evidence/pack-page/licences';

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
): Promise<readonly BundledPackage[]> {
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
  return readLicences(root, metafile);
}
