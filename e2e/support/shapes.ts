/**
 * Which files of `e2e/` run on the split form as well as on a service in one process. Each file is in one of the lists;
 * `tools/jest/shapes.test.ts` holds them to the folder. On the split form a file has workspaces of its own, on five
 * processes behind a proxy, with Redis and an S3 server, which all files share.
 */

/** What `.ci/run` runs in both shapes: it asks several processes, or one sees what another does. */
export const IN_BOTH = [
  'accounts',
  'auditor',
  'bad-input',
  'bad-requests',
  'console-pages',
  'device-login',
  'evidence-bytes',
  'examples',
  'exports',
  'first-answer',
  'http-headers',
  'isolation',
  'limits',
  'lists',
  'one-door',
  'otlp',
  'otlp-exporters',
  'otlp-mapping',
  'proxies',
  'reconcile-cli',
  'reconciliation',
  'settings-obeyed',
  'token-rotation',
  'wrong-requests',
] as const;

/**
 * Files that pass in both shapes, and run on the split form with `SPLIT_ALL=1`: they cost more than a minute of a
 * processor together, and what they look at comes from one process, or is led to its process as in the files above.
 */
export const IN_BOTH_ON_REQUEST = [
  'api-docs',
  'console-intake',
  'console-log',
  'console-reach',
  'console-record',
  'console-records',
  'console-triage',
  'documented-programs',
  'foreign-tools',
  'fuzz',
  'hostile-packs',
  'packs',
  'python-package',
] as const;

const STARTS = 'configures, starts or ends the processes that it is about';
const DAMAGES = 'damages the database that all files of the split form share';
const NO_SERVICE = 'asks no running service';
const FAULTS = 'kills a process; `npm run test:faults` does that to the split form';

/** Files that run in one process alone, and why. */
export const IN_ONE: Readonly<Record<string, string>> = {
  'bucket-address': STARTS,
  console: 'serves a console of its own, and starts processes with the console alone',
  'console-base-path': 'needs another base address, and starts a process with the console alone',
  'console-hostile': 'is about what a page makes of a text, which is the same; console-pages asks all processes',
  'console-sign-in': 'needs a provider of identities in the settings',
  crash: FAULTS,
  'cross-origin': 'needs the origin of its pages in the settings',
  'damaged-reads': DAMAGES,
  'damaged-workspaces': DAMAGES,
  'database-failover': STARTS,
  'lagging-failover': STARTS,
  'lagging-standby': STARTS,
  'database-settings': DAMAGES,
  'database-trouble': DAMAGES,
  'device-login-crash': FAULTS,
  distribution: NO_SERVICE,
  doctor: STARTS,
  'erased-files': 'reads the files of a PostgreSQL that has ended',
  'erased-reasons': 'reads every table and log line of a service of its own',
  'evidence-crash': FAULTS,
  'evidence-redaction': 'reads the files of the service; isolation and examples redact in both shapes',
  'few-descriptors': STARTS,
  heads: STARTS,
  help: NO_SERVICE,
  'hung-database': STARTS,
  image: 'starts each process from the root file system of the image, in both shapes by itself',
  inspector: STARTS,
  'invented-log': NO_SERVICE,
  'large-bodies': 'needs limits in the settings',
  'ledger-check-parts': DAMAGES,
  'login-flood': 'starts a process after the flood, and computes hundreds of password hashes',
  'lost-heads': 'keeps heads beside those of all files',
  monitor: 'rolls the database back',
  'object-store-away': STARTS,
  observability: 'reads what one process has in all its metrics',
  'one-history': STARTS,
  operator: DAMAGES,
  'otlp-crash': 'kills the OTLP ingester of the split form as well, by itself',
  'otlp-hostile': 'the path proxy of tests hangs now and then when a body is refused while it is sent',
  outbound: 'needs other addresses allowed in the settings',
  pooler: STARTS,
  'published-anchors': STARTS,
  'queue-board': 'needs a token in the settings',
  'reconciliation-crash': 'kills the worker of the split form, by itself',
  recover: DAMAGES,
  'redis-away': FAULTS,
  'redis-failover': STARTS,
  'restore-drill': STARTS,
  rewrap: STARTS,
  rollback: STARTS,
  'row-level-security': DAMAGES,
  sdk: 'runs the commands of a README that is written for a host with one workspace',
  secrecy: 'reads every log line and metric of a service of its own',
  split: 'starts each process of the split form by itself',
  'start-refused': STARTS,
  start: STARTS,
  'swapped-responses': 'mixes up the responses of one process by a proxy of its own',
  'sweep-confirm': STARTS,
  tampering: DAMAGES,
  tls: STARTS,
  'token-keys': 'rotates the keys of the installation',
  'token-uses': STARTS,
  traces: STARTS,
  'trust-crash': 'kills the worker of the split form, by itself',
  'warm-start': STARTS,
  witness: 'rolls the database back',
  'wrong-clock': STARTS,
};
