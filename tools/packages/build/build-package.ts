import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BundledPackage, formatLicences } from '@answer-evidence/pack-page/licences';
import { readIdentity } from '../../release/identity.ts';
import { bundleSources, type Condition } from './bundle-sources.ts';
import { emitTypes, toDeclaration } from './emit-types.ts';

type Targets = string | { readonly browser?: string; readonly default: string };

/** The manifest of a folder that is published as a package. Its workspace packages are bundled, the others are not. */
type Manifest = {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports?: Readonly<Record<string, Targets>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** The name that it is published under, with the packages that are installed beside it. */
  readonly publish: { readonly name: string; readonly dependencies?: readonly string[] };
  readonly dependencies?: Readonly<Record<string, string>>;
};

/** Where the published packages can be used: the oldest Node with `fetch`, WebCrypto and Ed25519 without a warning. */
const ENGINES = { node: '>=20' };

/** Builds the folder of one published package from its sources. The folder is ready for `npm pack`. */
export async function buildPackage(root: string, folder: string, out: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const installed = manifest.publish.dependencies ?? [];
  const external = installed.flatMap((name) => [name, `${name}/*`]);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const bundled = new Map<string, BundledPackage>();
  const bundle = async (source: string, condition: Condition, name: string, isProgram = false) => {
    const options = { condition, outfile: join(out, 'dist', name), external, isProgram };
    for (const one of await bundleSources(root, join(folder, source), options)) bundled.set(one.name, one);
    return `./dist/${name}`;
  };

  const exports: Record<string, Record<string, string>> = {};
  const sources: string[] = [];
  for (const [entry, targets] of Object.entries(manifest.exports ?? {})) {
    const { browser, default: source } = typeof targets === 'string' ? { default: targets } : { ...targets };
    const name = basename(source, '.ts');
    sources.push(join(folder, source));
    exports[entry] = {
      types: `./types/${toDeclaration(join(folder, source))}`,
      ...(browser === undefined ? {} : { browser: await bundle(browser, 'browser', `${name}.browser.js`) }),
      default: await bundle(source, 'default', `${name}.js`),
    };
  }
  const bin: Record<string, string> = {};
  for (const [command, source] of Object.entries(manifest.bin ?? {})) {
    bin[command] = await bundle(source, 'default', `${command}.js`, true);
    await chmod(join(out, 'dist', `${command}.js`), 0o755);
  }
  for (const [path, text] of sources.length === 0 ? [] : emitTypes(root, sources, installed)) {
    await mkdir(join(out, 'types', dirname(path)), { recursive: true });
    await writeFile(join(out, 'types', path), text);
  }
  const { version, description, license, publish, dependencies } = manifest;
  await writeFile(
    join(out, 'package.json'),
    `${JSON.stringify(
      {
        name: publish.name,
        version,
        description,
        license,
        ...formatIdentity(folder),
        type: 'module',
        engines: ENGINES,
        sideEffects: false,
        ...(sources.length === 0
          ? {}
          : { ...formatForNode10(exports), exports: { ...exports, './package.json': './package.json' } }),
        ...(Object.keys(bin).length === 0 ? {} : { bin }),
        ...(installed.length === 0
          ? {}
          : { dependencies: Object.fromEntries(installed.map((name) => [name, dependencies?.[name]])) }),
      },
      undefined,
      2,
    )}\n`,
  );
  await cp(join(root, folder, 'README.md'), join(out, 'README.md'));
  for (const name of ['LICENSE', 'NOTICE']) await cp(join(root, name), join(out, name));
  if (bundled.size > 0) await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), formatLicences([...bundled.values()]));
}

/** Where the package comes from, as registries show it and as npm compares it with a provenance. */
function formatIdentity(directory: string) {
  const { repository, homepage, keywords } = readIdentity();
  return {
    keywords,
    ...(homepage === undefined ? {} : { homepage }),
    ...(repository === undefined ? {} : { repository: { type: 'git', url: `git+${repository}.git`, directory } }),
  };
}

/** The same entries for TypeScript with `moduleResolution: node10`, which reads no `exports`. */
function formatForNode10(exports: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const own = exports['.'];
  const others = Object.entries(exports).filter(([entry]) => entry !== '.');
  return {
    ...(own === undefined ? {} : { main: own['default'], types: own['types'] }),
    ...(others.length === 0
      ? {}
      : { typesVersions: { '*': Object.fromEntries(others.map(([entry, { types }]) => [entry.slice(2), [types]])) } }),
  };
}
