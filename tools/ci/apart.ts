/** What cannot turn the verdict of some tests, though they reach it; `*` stands for any one folder. */
type Apart = { readonly tests: readonly string[]; readonly because: string; readonly from: readonly string[] };

/** What shows results of the product to people and programs outside of the service. */
const OUTSIDE = ['apps/cli/', 'apps/console/', 'packages/', 'libs/client/', 'libs/adapters/pack-page/', 'docs/'];

/** What serves a service below its routes. */
const BELOW_ROUTES = [
  ...['libs/ports/', 'libs/runtime/', 'libs/testing/', 'libs/grpc-edge/', 'libs/domain/audit/', 'libs/domain/tables/'],
  ...['postgres', 'postgres-embedded', 'bullmq', 's3', 'filesystem', 'aws', 'argon2', 'google-metadata', 'jose'].map(
    (adapter) => `libs/adapters/${adapter}/`,
  ),
  ...['consumers', 'tickers', 'inbox', 'heads', 'anchoring', 'checkpoints', 'publishing', 'witnessing'].map(
    (folder) => `libs/stages/*/src/${folder}/`,
  ),
  ...['all-in-one', 'server', 'operator', 'witness', 'ingest-api', 'evidence-store', 'otlp-ingester'].map(
    (app) => `apps/${app}/`,
  ),
  ...['reconciliation-worker', 'trust-worker'].map((app) => `apps/${app}/`),
];

const MAPPING = ['libs/domain/otlp-mapping/', 'libs/formats/otlp/', 'libs/stages/otlp/'];

/**
 * Long tests, and what is tested nearer to itself: a change there alone does not run them. The nightly run and a
 * release run all tests after any change (`.ci/run --all`).
 */
export const APART: readonly Apart[] = [
  {
    tests: [
      ...['asynchronous-standby', 'bucket-address', 'crash', 'erased-files', 'evidence-crash', 'few-descriptors'],
      ...['full-disks', 'heads', 'hung-database', 'lagging-standby', 'lost-heads', 'low-space', 'monitor'],
      ...['moved-database', 'object-store-away', 'one-history', 'pooler', 'published-anchors', 'recover', 'redis-away'],
      ...['restore-drill', 'restored-files', 'rewrap', 'rollback', 'sweep-confirm', 'token-keys', 'trust-crash'],
      ...['witness', 'wrong-clock', 'ledger-check-parts', 'start', 'start-refused', 'doctor', 'operator'],
    ].map((name) => `e2e/${name}.test.ts`),
    because: 'they ask what a process, a disk or a database that fails leaves behind, by a few plain requests',
    from: [
      ...OUTSIDE,
      ...MAPPING,
      ...['reconcile', 'workspace'].map((stage) => `libs/stages/${stage}/`),
      'libs/stages/*/src/routes/',
      'libs/stages/ingest/src/search/',
      'libs/contracts/src/operations/',
      'libs/contracts/openapi',
    ],
  },
  {
    tests: ['e2e/console', 'e2e/hostile-packs.test.ts', 'e2e/proof-links.test.ts', 'e2e/verify-page.test.ts'],
    because: 'a page sees responses alone, which the tests of routes and of the service hold to their shapes',
    from: [...BELOW_ROUTES, ...MAPPING, 'apps/cli/', 'packages/python/', 'packages/sdk/', 'docs/'],
  },
  {
    tests: [
      ...['documented-programs', 'foreign-tools', 'python-package', 'sdk', 'api-docs', 'fuzz', 'first-answer'].map(
        (name) => `e2e/${name}.test.ts`,
      ),
      'tools/help/',
      'tools/attack/',
    ],
    because: 'a program outside of the service sees responses alone, and so do documented programs',
    from: [...BELOW_ROUTES, ...MAPPING, 'apps/console/'],
  },
  {
    tests: ['e2e/otlp'],
    because: 'they are about what OpenTelemetry sends',
    from: [...OUTSIDE, 'libs/stages/workspace/', 'libs/stages/reconcile/', 'libs/stages/trust/'],
  },
  {
    tests: ['e2e/tampering.test.ts', 'e2e/swapped-responses.test.ts', 'e2e/frozen/', 'e2e/independent-verifier/'],
    because: 'they judge what is proved, from a log that is there',
    from: [...MAPPING, 'apps/console/', 'libs/stages/*/src/tickers/', 'libs/adapters/bullmq/', 'libs/adapters/s3/'],
  },
];

/** What the second form is about: which process serves what, and what processes tell each other. */
export const SECOND_FORM_APART: readonly string[] = [
  ...OUTSIDE,
  'libs/domain/',
  'libs/formats/',
  'libs/contracts/',
  'libs/stages/*/src/routes/',
  'libs/stages/*/src/resources/',
  'libs/stages/*/src/prepare/',
  'libs/stages/ingest/src/search/',
];

/** What is apart from a test file. */
export function apartFrom(test: string): readonly string[] {
  return APART.filter(({ tests }) => tests.some((start) => test.startsWith(start))).flatMap(({ from }) => from);
}

/** Whether a file is at one of these places. */
export function isAt(file: string, places: readonly string[]): boolean {
  const parts = file.split('/');
  return places.some((place) => {
    const wanted = place.split('/');
    return wanted.every((part, n) => part === '*' || (n === wanted.length - 1 ? start(n) : parts[n] === part));

    function start(n: number): boolean {
      return (parts[n] ?? '').startsWith(wanted[n] ?? '');
    }
  });
}
