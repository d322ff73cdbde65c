import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = `${ROOT}docs/architecture/limits.md`;
const DEVICES = 'libs/adapters/postgres/src/stores/device-login-store.test.ts';
const TALLY = 'libs/stages/otlp/src/ignored/ignored-tally.test.ts';
const LIMITS = 'libs/http-edge/src/rate-limits/request-limits.test.ts';
const FATES = 'libs/stages/otlp/src/routes/get-trace-fates/200.test.ts';

/** The test of each row of "Whose each bound is": what one fills, and what the next one then sees. */
const TESTS: Readonly<Record<string, readonly [file: string, name: string]>> = {
  'sign-ins of devices that wait for a person': [DEVICES, 'make room for newer ones of their address, and for nobody'],
  'the same': [DEVICES, 'go first from the address with the most, where a workspace has too many'],
  'the same, for workspaces that do not exist': [
    DEVICES,
    'for one workspace, or for none, take no room of another one',
  ],
  'approved ones': [DEVICES, 'make no room for others once they are approved, nor others for them'],
  'lines of ignored OTLP items': [FATES, 'keeps what one sender brought in when another one brings in more'],
  'traces of which it is known why they left no record': [
    'libs/adapters/postgres/src/stores/otlp-ignored.test.ts',
    'make room for newer ones of their sender, its oldest first, and for nobody else',
  ],
  'both, until they are written two seconds later': [TALLY, 'is a share of each token: what one of them fills takes'],
  'names of attributes of held items, for `otel/ignored`': [
    TALLY,
    'of names of held items is a share of each workspace',
  ],
  'bytes of bodies in progress': ['libs/routes/src/byte-budget.test.ts', 'nor more than a quarter to one of them'],
  'held traces': ['libs/stages/otlp/src/consumers/decide-traces.test.ts', 'is held or not by its own workspace alone'],
  'tries of a password': [
    'libs/stages/workspace/src/login/login-throttle.test.ts',
    'lets the right person in from a new place',
  ],
  members: ['libs/stages/workspace/src/routes/create-member/409.test.ts', 'limit_reached'],
  'holds in force': ['libs/stages/ingest/src/holds/holds.test.ts', 'is one of at most so many in force'],
  'keys of the log that sign': ['libs/stages/trust/src/routes/add-key/409.test.ts', 'while two keys sign'],
  'hash keys': ['libs/stages/workspace/src/routes/create-hash-key/409.test.ts', 'one more key than there may be'],
  'hash keys that are open': ['libs/preparation/src/commit-texts.test.ts', 'keeps so many keys of a workspace open'],
  'requests that wait for a second person': ['e2e/approvals.test.ts', 'at most 200 requests wait'],
  'keys of the log outside of the service, ever': [
    'libs/stages/trust/src/routes/add-key/409.test.ts',
    'as many keys outside of the service as it may',
  ],
  'saved views': ['libs/stages/ingest/src/routes/create-view/201.test.ts', 'a workspace has only so many'],
  'targets of notifications, webhooks and mails': ['e2e/notifications.test.ts', 'and beyond the limit'],
  'codes for addresses of their own': ['e2e/notifications-own.test.ts', "'limit_reached'"],
  streams: ['e2e/streams.test.ts', "toBe('limit_reached')"],
  'links to a record': [
    'libs/stages/trust/src/routes/create-proof-link/refusals.test.ts',
    'where there are as many as there may be',
  ],
  'openings of such links that are known to be in the log': [
    'libs/stages/trust/src/proof-links/note-opening.test.ts',
    'is remembered of so many links of a workspace',
  ],
  'checks of the ledger under way': ['libs/runtime/src/start/stages/share-checks.test.ts', 'share'],
  'live tokens': ['libs/stages/workspace/src/routes/create-token/409.test.ts', 'limit_reached'],
  'sign-ins of devices under way': [
    'libs/runtime/src/work/fair-queue.test.ts',
    'refuses what one key has waiting beyond its bound, and nothing of others',
  ],
  'addresses whose rate is counted': [LIMITS, 'of one network have a count together, and no other address waits'],
  'tokens whose rate is counted': [LIMITS, 'of one workspace have a count together, and no other workspace waits'],
  'bytes of a response of an OpenID provider': [
    'libs/adapters/openid-connect/src/fetch-bounded.test.ts',
    'is read up to 1 MiB',
  ],
  'callers whose token was read in the last seconds': [
    'libs/http-edge/src/auth/caller-cache.test.ts',
    'has a quarter of its room for the tokens of one workspace',
  ],
  'uses of tokens, until they are written after a minute': [
    'libs/http-edge/src/auth/token-uses.test.ts',
    'of one workspace take a quarter of the room, and those of another are noted',
  ],
  'lines of the log about refused OTLP items': [
    'libs/runtime/src/observability/refusal-lines.test.ts',
    'it takes some lines per minute, and those of others are told',
  ],
  'items on their way into the ledger': [
    'libs/stages/otlp/src/inbox/write-through.test.ts',
    'is no more than two transactions of the log take',
  ],
  'streams that are sent at once': [
    'libs/stages/workspace/src/streams/feed-ticker.test.ts',
    'leave places to other workspaces, however slowly the collectors of one respond',
  ],
  'codes for addresses of the workspace': [
    'e2e/notifications-own.test.ts',
    'is not held up by the codes that managers have sent, of which a workspace has few in a day',
  ],
  'requests that wait for the ledger': [
    'libs/adapters/postgres/src/failure-rules.test.ts',
    'lets only so many wait: more are turned away at once, and those who wait are served',
  ],
  'passwords that wait to be verified': [
    'libs/adapters/argon2/src/argon2-hasher.test.ts',
    'lets those in first who are known',
  ],
  'connections for HTTP': [
    'libs/http-edge/src/http/guard-connections.test.ts',
    'that are idle make room for new ones, and those in use do not',
  ],
  'connections for gRPC': [
    'libs/grpc-edge/src/open-grpc-server.test.ts',
    'make room for new ones, and those in use do not',
  ],
};

const rows = readRows(readFileSync(PAGE, 'utf8'));

/** Cells of the table below that heading, without its head. */
function readRows(page: string): readonly (readonly string[])[] {
  const [, below = ''] = page.split('## Whose each bound is\n');
  const lines =
    below
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|')) ?? [];
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('each bound that somebody fills', () => {
  it('is in the table with who fills it, how far, and what the next one sees', () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect([row[0], row.length, row.every((cell) => cell !== '')]).toEqual([row[0], 4, true]);
  });

  it('has a test', () => {
    expect(rows.map(([what]) => what).toSorted()).toEqual(Object.keys(TESTS).toSorted());
    for (const [what, [file, name]] of Object.entries(TESTS))
      expect([what, readFileSync(ROOT + file, 'utf8').includes(name)]).toEqual([what, true]);
  });

  it('belongs to those who fill it, and to nobody alone', () => {
    const shared = rows.filter(([, who = '']) => /installation|all (?!of these)/.test(who));
    expect(shared.map(([what]) => what)).toEqual([]);
  });
});

describe('the times of a mail and the sizes of a digest', () => {
  const MAILER = 'libs/adapters/smtp-nodemailer/src/open-mailer';
  const E2E = 'e2e/notifications-mail.test.ts';
  const read = (file: string): string => readFileSync(ROOT + file, 'utf8');
  const numberIn = (file: string, name: string): number =>
    Number(new RegExp(`\\b${name}(?: =|:) ([\\d_]+)\\b`).exec(read(file))?.[1]?.replaceAll('_', ''));

  it('are those of the code', () => {
    const [stepMs, wholeMs] = ['stepMs', 'wholeMs'].map((name) => numberIn(`${MAILER}.ts`, name));
    const parts = 'libs/stages/workspace/src/notifications/';
    const whole = numberIn(`${parts}deliver-mail.ts`, 'DIGEST_MAX');
    const shown = numberIn(`${parts}compose-mail.ts`, 'SHOWN_MAX');
    const row = read('docs/architecture/limits.md')
      .split('\n')
      .find((line) => line.startsWith('| a mail:'));
    const cells = row?.split('|').map((cell) => cell.trim());
    expect(cells?.[2]).toBe(`${Number(stepMs) / 1000} s; ${Number(wholeMs) / 1000} s; ${whole}, ${shown}`);
    const said = read('docs/notifications.md').replace(/\s+/g, ' ');
    expect(said).toContain(`It has ${Number(stepMs) / 1000} seconds for each step and ${Number(wholeMs) / 1000} for`);
    expect(said).toContain(`links to up to ${shown} of at most ${whole} notifications`);
  });

  it.each([
    [`${MAILER}.test.ts`, 'fails the attempt within its time, in our words'],
    [`${MAILER}.test.ts`, 'never ends its greeting'],
    [E2E, 'of a digest has at most 500 notifications and shows 50 of them, and the next one has the rest at once'],
  ])('have a test in %s: %s', (file, name) => expect(read(file)).toContain(name));
});

/** What refuses or forgets what there is too much of, or lets so much of it happen at once. */
const BOUND =
  /\.size (?:>=?|<=?) [A-Za-z_.]*(?:MAX|Max|max)\b|\.size \+ \w+\.size|'limit_reached'|new KeyedSemaphore\(|createFairQueue\(/;
const PARTS = ['stages', 'http-edge', 'grpc-edge', 'runtime', 'routes', 'adapters', 'preparation'];

/** The rows of the files that do. */
const ROWS: Readonly<Record<string, string>> = {
  'adapters/postgres/src/stores/saved-view-store.ts': 'saved views',
  'grpc-edge/src/open-grpc-server.ts': 'connections for gRPC',
  'http-edge/src/auth/caller-cache.ts': 'callers whose token was read in the last seconds',
  'http-edge/src/auth/token-uses.ts': 'uses of tokens, until they are written after a minute',
  'preparation/src/hash-keys.ts': 'hash keys that are open',
  'runtime/src/observability/refusal-lines.ts': 'lines of the log about refused OTLP items',
  'runtime/src/start/stages/workspace.ts': 'sign-ins of devices under way',
  'runtime/src/work/fair-queue.ts': 'sign-ins of devices under way',
  'runtime/src/work/open-body-readers.ts': 'bytes of bodies in progress',
  'stages/ingest/src/holds/prepare-hold.ts': 'holds in force',
  'stages/ingest/src/routes/create-view/handler.ts': 'saved views',
  'stages/otlp/src/ignored/ignored-tally.ts': 'both, until they are written two seconds later',
  'stages/otlp/src/ignored/remembered-fates.ts': 'both, until they are written two seconds later',
  'stages/otlp/src/inbox/accept-items.ts': 'bytes of bodies in progress',
  'stages/otlp/src/inbox/write-through.ts': 'items on their way into the ledger',
  'stages/trust/src/proof-links/make-link.ts': 'links to a record',
  'stages/trust/src/proof-links/note-opening.ts': 'openings of such links that are known to be in the log',
  'stages/workspace/src/hash-keys/make-hash-key.ts': 'hash keys',
  'stages/workspace/src/login/find-grouped-member.ts': 'members',
  'stages/workspace/src/notifications/prepare-target-change.ts': 'targets of notifications, webhooks and mails',
  'stages/workspace/src/routes/create-mail-target/handler.ts': 'targets of notifications, webhooks and mails',
  'stages/workspace/src/routes/put-own-notifications/handler.ts': 'codes for addresses of their own',
  'stages/workspace/src/streams/prepare-stream-change.ts': 'streams',
};

/** Files whose bound nobody's requests fill. */
const OF_NOBODY: ReadonlySet<string> = new Set([
  // Opened keys: one that made room is opened again.
  'adapters/node-crypto/src/cache-keys.ts',
  // Batches of one log at a signer: others wait, and none is refused.
  'adapters/postgres/src/append/log-appender.ts',
  // Signatures of the log's own checkpoints: one that made room is made again.
  'adapters/node-crypto/src/remember-signatures.ts',
  // Within one question.
  'adapters/postgres/src/rows/read-leaf-range.ts',
  'stages/ingest/src/words/list-words.ts',
  // Errors and folders of the process.
  'runtime/src/jobs/error-throttle.ts',
  'runtime/src/observability/folder-watch.ts',
]);

it('each place in the code that bounds something has a row', () => {
  const found = PARTS.flatMap((part) =>
    readdirSync(`${ROOT}libs/${part}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${part}/${path}`)
      .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|fixtures|node_modules/.test(path))
      .filter((path) => BOUND.test(readFileSync(`${ROOT}libs/${path}`, 'utf8'))),
  );
  expect(found.filter((path) => !OF_NOBODY.has(path)).toSorted()).toEqual(Object.keys(ROWS).toSorted());
  for (const row of Object.values(ROWS)) expect(rows.map(([what]) => what)).toContain(row);
});
