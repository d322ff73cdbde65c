import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { READ_BY } from './rooms.ts';

/** What a file needs: other files, folders (ending in `/`), or the whole repository (`./`). */
export type Needs = ReadonlyMap<string, ReadonlySet<string>>;

/** The files of a work tree: the digest of each, and what the programs among them need. */
export type Sources = { readonly digests: ReadonlyMap<string, string>; readonly needs: Needs };

/** A path in a program's text, up to where a variable part of it begins; one dot alone is mostly a separator. */
const PATH = /(?<=(?<!startsWith\()['"`])(?:\.\.|\.{1,2}\/[^'"`$\s]*)(['"`$])/g;
/** What may be a file beside the program. */
const NAME = /(?<=['"`])[\w-]+\.[\w.-]+(?=['"`])/g;
/** What may be a path from the root of the repository. */
const PLACE = /(?<=['"`])[\w.@-]+(?:\/[\w.@-]+)+(?=['"`])/g;
/** How a program names its own folder. */
const OWN_FOLDER = /import\.meta\.dirname|new URL\('\.\/?'/;
/** The whole repository. */
export const WHOLE = './';
const PROGRAM = /\.(?:ts|tsx|mts|mjs|js)$/;
const PACKAGE = /^(?:libs|apps|packages)\/(?:[^/]+\/)+package\.json$/;

/** What a run writes: no test depends on it. */
const RECORD = '.ci/passed.json';

/** Reads what Git has or would add. */
export function readSources(root: string): Sources {
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  const files = [...new Set(listed.split('\0'))]
    .filter((file) => file !== '' && file !== RECORD && existsSync(join(root, file)))
    .sort();
  const contents = new Map(files.map((file) => [file, readFileSync(join(root, file))]));
  const digests = new Map([...contents].map(([file, bytes]) => [file, digestOf(bytes)]));
  const texts = files
    .filter((file) => PROGRAM.test(file) || PACKAGE.test(file))
    .map((file) => [file, String(contents.get(file))] as const);
  return { digests, needs: findNeeds(new Map(texts), new Set(files)) };
}

/** The digest of bytes, as the record of what passed has it. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 24);
}

/** What each program imports and names by a path. `texts` has the manifests of packages as well. */
export function findNeeds(texts: ReadonlyMap<string, string>, files: ReadonlySet<string>): Needs {
  const folders = new Set([...files].flatMap(foldersOf));
  const packages = readPackages(texts);
  const programs = [...texts].filter(([file]) => PROGRAM.test(file));
  return new Map(
    programs.map(([file, text]) => {
      const named = [...pathsIn(file, text), ...placesIn(text)];
      const read = READ_BY[file];
      const whole = read === undefined ? [] : named.filter((place) => place !== WHOLE);
      return [file, new Set([...importsOf(file, text), ...(read === undefined ? named : [...read, ...whole])])];
    }),
  );

  function importsOf(file: string, text: string): readonly string[] {
    return ts.preProcessFile(text).importedFiles.flatMap(({ fileName }) => {
      const path = fileName.startsWith('.') ? normalize(join(dirname(file), fileName)) : packages.get(fileName);
      return path !== undefined && files.has(path) ? [path] : [];
    });
  }

  /** Places by their path from the root, as programs name them that have it. */
  function placesIn(text: string): readonly string[] {
    return [...text.matchAll(PLACE)].flatMap(([path]) => placeOf(path));
  }

  function pathsIn(file: string, text: string): readonly string[] {
    const folder = dirname(file);
    const own = OWN_FOLDER.test(text)
      ? [`${folder}/`, ...[...text.matchAll(NAME)].flatMap(([name]) => placeOf(join(folder, name)))]
      : [];
    const named = [...text.matchAll(PATH)].flatMap(([path, end]) => {
      const place = join(folder, path.slice(0, -1));
      if (end !== '$') return placeOf(place);
      // `../programs/${name}.ts` names any file of the folder.
      const started = path.endsWith('/$') ? place : dirname(place);
      return started === '.' ? [WHOLE] : [...files].filter((name) => name.startsWith(`${started.replace(/\/$/, '')}/`));
    });
    return [...own, ...named];
  }

  function placeOf(path: string): readonly string[] {
    const name = path.replace(/\/$/, '');
    if (files.has(name)) return [name];
    if (name === '.') return [WHOLE];
    return folders.has(`${name}/`) ? [`${name}/`] : [];
  }
}

function foldersOf(file: string): readonly string[] {
  const parts = dirname(file).split('/');
  return parts.map((_, n) => `${parts.slice(0, n + 1).join('/')}/`);
}

/** The file behind each name by which a package of the repository is imported. */
function readPackages(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const manifests = [...texts].filter(([file]) => PACKAGE.test(file));
  const entries = manifests.flatMap(([file, text]) => {
    const { name = '', exports = {} } = JSON.parse(text) as { name?: string; exports?: Record<string, Target> };
    return Object.entries(exports).map(([key, target]) => {
      const path = typeof target === 'string' ? target : target.default;
      return [join(name, key), join(dirname(file), path)] as const;
    });
  });
  return new Map(entries);
}

type Target = string | { readonly default: string };
