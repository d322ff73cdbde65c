import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Identity } from './identity.ts';

/** A kind of file that repeats what the product says of itself, and how it says it. */
type Place = {
  readonly files: RegExp;
  /** The text as it must be. Throws where it has no room for it. */
  apply(text: string, identity: Identity): string;
};

const SEMVER = String.raw`\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?`;
/** An image, an archive or a package by its name: `answer-evidence:1.2.3`, `answer-evidence-chart-1.2.3.oci.tar`. */
const NAMED = new RegExp(String.raw`\b(answer-evidence(?:-image|-chart)?[-_:])${SEMVER}`, 'g');

const PLACES: readonly Place[] = [
  {
    files: /^(?:(?:apps|libs|packages)\/.+\/)?package\.json$/,
    apply: (text, { version }) => replace(text, /^( {2}"version": ")[^"]+/m, `$1${version}`),
  },
  { files: /^package-lock\.json$/, apply: applyToLock },
  {
    files: /^libs\/contracts\/src\/version\.ts$/,
    apply: (text, { version }) => replace(text, /(PRODUCT_VERSION = ')[^']+/, `$1${version}`),
  },
  { files: /^packages\/python\/pyproject\.toml$/, apply: applyToPython },
  { files: /^deploy\/chart\/Chart\.yaml$/, apply: applyToChart },
  { files: /^Dockerfile$/, apply: applyToImage },
  {
    files: /^(?:docker-compose\.yml|\.ci\/deployed|docs\/deployment\.md|docs\/operations\/(?:systemd|kubernetes)\.md)$/,
    apply: (text, { version }) =>
      text
        .replaceAll(NAMED, `$1${version}`)
        .replaceAll(new RegExp(`(/answer-evidence, tag: )${SEMVER}`, 'g'), `$1${version}`),
  },
];

function replace(text: string, pattern: RegExp, by: string): string {
  if (!pattern.test(text)) throw new Error(`has nothing like ${pattern.source}`);
  return text.replace(pattern, by);
}

/** The lock file repeats the version of each package of the repository. */
function applyToLock(text: string, { version }: Identity): string {
  const lock = JSON.parse(text) as {
    version: string;
    readonly packages: Readonly<Record<string, { version?: string; readonly link?: boolean }>>;
  };
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages))
    if (!path.includes('node_modules/') && entry.version !== undefined) entry.version = version;
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

function applyToPython(text: string, { version, repository, homepage, keywords }: Identity): string {
  const own = replace(text, /^(version = ")[^"]+/m, `$1${version}`)
    .replace(/^keywords = .*\n/m, '')
    .replace(/^\[project\.urls\]\n(?:.+\n)*\n/m, '')
    .replace(/^(description = .*\n)/m, `$1keywords = [${keywords.map((word) => `"${word}"`).join(', ')}]\n`);
  const urls = Object.entries({ Homepage: homepage, Repository: repository }).flatMap(([name, address]) =>
    address === undefined ? [] : [`${name} = "${address}"\n`],
  );
  return urls.length === 0 ? own : replace(own, /^(\[project\.scripts\]\n)/m, `[project.urls]\n${urls.join('')}\n$1`);
}

function applyToChart(text: string, { version, repository, homepage, keywords }: Identity): string {
  const own = replace(text, /^(version: ).+/m, `$1${version}`)
    .replace(/^(appVersion: ).+/m, `$1${version}`)
    .replaceAll(/^(?:home|sources|keywords): .*\n/gm, '');
  const lines = [
    ...(homepage === undefined ? [] : [`home: ${homepage}\n`]),
    ...(repository === undefined ? [] : [`sources: [${repository}]\n`]),
    `keywords: [${keywords.join(', ')}]\n`,
  ];
  return replace(own, /^(annotations:\n)/m, `${lines.join('')}$1`);
}

function applyToImage(text: string, { version, repository, homepage }: Identity): string {
  const own = replace(text, /(image\.version=")[^"]+/, `$1${version}`).replaceAll(
    / {6}org\.opencontainers\.image\.(?:source|url)=.*\n/g,
    '',
  );
  const labels = Object.entries({ source: repository, url: homepage }).flatMap(([name, address]) =>
    address === undefined ? [] : [`      org.opencontainers.image.${name}="${address}" \\\n`],
  );
  return replace(own, /^( {6}org\.opencontainers\.image\.revision=)/m, `${labels.join('')}$1`);
}

/** The files of a repository that differ from what the identity makes of them, with the text that they must have. */
export function findDifferences(
  identity: Identity,
  paths: readonly string[],
  read: (path: string) => string,
): ReadonlyMap<string, string> {
  const differences = new Map<string, string>();
  for (const place of PLACES) {
    const files = paths.filter((path) => place.files.test(path));
    if (files.length === 0) throw new Error(`no file is like ${place.files.source}: correct the list of places`);
    for (const path of files) {
      const text = read(path);
      const own = applyTo(place, path, text, identity);
      if (own !== text) differences.set(path, own);
    }
  }
  return differences;
}

function applyTo(place: Place, path: string, text: string, identity: Identity): string {
  try {
    return place.apply(text, identity);
  } catch (error) {
    throw new Error(`${path} ${(error as Error).message}`, { cause: error });
  }
}

/** Files that name an archive or an image of this version, and are in no place that is kept up to date. */
export function findUnkept(
  { version }: Identity,
  paths: readonly string[],
  read: (path: string) => string,
): readonly string[] {
  const isNamed = (text: string) => [...text.matchAll(NAMED)].some(([name]) => name.endsWith(version));
  return paths.filter(
    (path) =>
      /\.(?:md|ya?ml|ts|mjs|sh)$/.test(path) &&
      !/\.test\.ts$|^CHANGELOG\.md$/.test(path) &&
      !PLACES.some(({ files }) => files.test(path)) &&
      isNamed(read(path)),
  );
}

/** The files of the repository that git knows, and a function that reads one. */
export function openRepository(root: string) {
  const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter((path) => path !== '');
  return {
    paths,
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    write: (path: string, text: string) => writeFileSync(join(root, path), text),
  };
}
