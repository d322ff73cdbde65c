import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Application, Logger, LogLevel, type TypeDocOptions } from 'typedoc';

/** The packages with pages; those of the command line are its help texts. */
export const REFERENCED = ['sdk', 'verify', 'otel'];

type Manifest = {
  readonly publish: { readonly name: string };
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};

/** What needs a description. Properties of types mostly say with their name what they are. */
const DESCRIBED: TypeDocOptions['requiredToBeDocumented'] = [
  'Function',
  'Class',
  'Interface',
  'TypeAlias',
  'Variable',
  'Method',
  'Accessor',
];

/**
 * Writes the pages of a package in `packages/` into a folder. Returns what is wrong with its descriptions: public names
 * without one, names that are not exported, and links to nothing.
 */
export async function writePackageReference(root: string, name: string, out: string): Promise<readonly string[]> {
  const folder = join(root, 'packages', name);
  const { exports, publish } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const app = await Application.bootstrapWithPlugins({
    entryPoints: Object.values(exports).map((entry) => join(folder, typeof entry === 'string' ? entry : entry.default)),
    tsconfig: join(root, 'tools/reference/tsconfig.json'),
    // `npm run typecheck` finds errors of types.
    skipErrorChecking: true,
    name: publish.name,
    readme: join(folder, 'README.md'),
    disableSources: true,
    excludePrivate: true,
    requiredToBeDocumented: DESCRIBED,
    validation: { notExported: true, invalidLink: true, notDocumented: true },
  });
  const faults = new Faults();
  app.logger = faults;
  const project = await app.convert();
  if (project === undefined) throw new Error(`the sources of packages/${name} cannot be read`);
  app.validate(project);
  await app.generateDocs(project, out);
  return faults.found;
}

/** Keeps what typedoc warns of. */
class Faults extends Logger {
  readonly found: string[] = [];

  override log(message: string, level: LogLevel): void {
    if (level >= LogLevel.Warn) this.found.push(message);
  }
}
