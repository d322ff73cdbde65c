import { readFileSync } from 'node:fs';

/** A package of `package-lock.json`, as far as it is read here. */
type LockedPackage = {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type Packages = Readonly<Record<string, LockedPackage>>;

const FOLDER = 'node_modules/';

/** The production packages of this repository's lock file, as {@link createSbom} says. */
export function readSbom() {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
  return createSbom((JSON.parse(text) as { readonly packages: Packages }).packages);
}

/**
 * The production packages of a lock file as CycloneDX 1.5. `npm sbom --omit dev` leaves out what the root names for its
 * tests too, such as express, pg and zod.
 */
function createSbom(packages: Packages) {
  const kept = Object.entries(packages).filter(([path, { dev, link }]) => isInstalled(path) && !dev && !link);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': '', name: packages['']?.name ?? '' } },
    components: kept.map(([path, one]) => ({
      type: 'library',
      'bom-ref': path,
      name: nameOf(path, one),
      version: one.version ?? '',
      scope: one.optional === true ? 'optional' : 'required',
      purl: `pkg:npm/${nameOf(path, one).replace('@', '%40')}@${one.version ?? ''}`,
      hashes: hashesOf(one),
      licenses: one.license === undefined ? [] : [{ expression: one.license }],
    })),
    dependencies: kept.map(([path, one]) => ({
      ref: path,
      dependsOn: Object.keys({ ...one.dependencies, ...one.optionalDependencies }).flatMap(
        (name) => findDependency(packages, path, name) ?? [],
      ),
    })),
  };
}

function isInstalled(path: string): boolean {
  return path.includes(FOLDER);
}

/** An alias has the name of what is installed beside the one that it is imported by. */
function nameOf(path: string, { name }: LockedPackage): string {
  return name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
}

function hashesOf({ integrity }: LockedPackage) {
  const [, base64] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  return base64 === undefined ? [] : [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }];
}

/** As Node finds it: in the package's own folder, else in those above. */
function findDependency(packages: Packages, from: string, name: string): string | undefined {
  for (let folder = `${from}/`; ; folder = folder.slice(0, folder.lastIndexOf(FOLDER))) {
    const path = `${folder}${FOLDER}${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}
