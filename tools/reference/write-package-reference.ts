import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Application, Logger, LogLevel, type TypeDocOptions } from 'typedoc';
import ts from 'typescript';

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

/** Reads the sources of all packages in `packages/`, with what they import: most of it is the same for each of them. */
export function readSources(root: string): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tools/reference/tsconfig.json'), {}, host);
  if (config === undefined) throw new Error('the sources of the packages cannot be read');
  return ts.createProgram({ rootNames: config.fileNames, options: config.options });
}

/**
 * Writes the pages of a package in `packages/` into a folder. Returns what is wrong with its descriptions: public names
 * without one, names that are not exported, and links to nothing.
 */
export async function writePackageReference(
  root: string,
  name: string,
  out: string,
  program = readSources(root),
): Promise<readonly string[]> {
  const folder = join(root, 'packages', name);
  const { exports, publish } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const entryPoints = Object.values(exports).map((entry) =>
    join(folder, typeof entry === 'string' ? entry : entry.default),
  );
  const app = await Application.bootstrapWithPlugins({
    entryPoints,
    tsconfig: join(root, 'tools/reference/tsconfig.json'),
    name: publish.name,
    readme: join(folder, 'README.md'),
    disableSources: true,
    excludePrivate: true,
    requiredToBeDocumented: DESCRIBED,
    validation: { notExported: true, invalidLink: true, notDocumented: true },
  });
  const faults = new Faults();
  app.logger = faults;
  // `npm run typecheck` finds errors of types.
  const project = app.converter.convert(
    entryPoints.map((path) => {
      const sourceFile = program.getSourceFile(path);
      if (sourceFile === undefined) throw new Error(`the sources of packages/${name} cannot be read`);
      return { displayName: moduleNameOf(relative(join(folder, 'src'), path)), sourceFile, program };
    }),
  );
  app.validate(project);
  await app.generateDocs(project, out);
  return faults.found;
}

/** What the pages call a module: its file, or the folder of which it is the index. */
function moduleNameOf(path: string): string {
  return path.replace(/(?:\/index)?\.ts$/, '');
}

/** Keeps what typedoc warns of. */
class Faults extends Logger {
  readonly found: string[] = [];

  override log(message: string, level: LogLevel): void {
    if (level >= LogLevel.Warn) this.found.push(message);
  }
}
