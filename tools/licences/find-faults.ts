const OURS = 'Apache-2.0';

/** What says of each kind of manifest that it is under the licence of the repository. */
const MANIFESTS: readonly (readonly [pattern: RegExp, says: RegExp])[] = [
  [/(?:^|\/)package\.json$/, /^ {2}"license": "Apache-2\.0",?$/m],
  [/(?:^|\/)pyproject\.toml$/, /^license = "Apache-2\.0"$/m],
  [/(?:^|\/)Chart\.yaml$/, /^ {2}artifacthub\.io\/license: Apache-2\.0$/m],
  [/(?:^|\/)Dockerfile$/, /org\.opencontainers\.image\.licenses="Apache-2\.0"/],
];
/** The text goes with the Python package too, whose build reads nothing above its folder. */
const TEXTS = ['LICENSE', 'packages/python/LICENSE'];
const LICENCE_FILE = /(?:^|\/)LICEN[CS]ES?(?:\.[a-z]+)?$|^LICENSES\//i;

/**
 * What contradicts that the whole repository is under one licence, a line each.
 * @param files every file of the repository, by path
 * @param read the text of a file
 */
export function findLicenceFaults(files: readonly string[], read: (file: string) => string): readonly string[] {
  const silent = files.filter((file) =>
    MANIFESTS.some(([pattern, says]) => pattern.test(file) && !says.test(read(file))),
  );
  const texts = files.filter((file) => LICENCE_FILE.test(file) && !TEXTS.includes(file));
  const [first = '', ...copies] = TEXTS;
  return [
    ...silent.map((file) => `${file} does not say that it is under ${OURS}`),
    ...findLockedFaults(read('package-lock.json')),
    ...texts.map((file) => `${file} is a second licence; LICENSE is the one of the whole repository`),
    ...copies.filter((file) => read(file) !== read(first)).map((file) => `${file} is not the text of ${first}`),
  ];
}

function findLockedFaults(lock: string): readonly string[] {
  const { packages } = JSON.parse(lock) as {
    readonly packages: Readonly<Record<string, { readonly license?: string; readonly link?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { license, link }]) => !path.includes('node_modules/') && link !== true && license !== OURS)
    .map(([path]) => `package-lock.json does not say that "${path}" is under ${OURS}`);
}
