import { SPLIT_ROLES } from '../proxy/routing-table.ts';
import { answerSpan, OTEL, traces } from '../scenery/otlp.ts';
import { openSplitWorkspace } from '../scenery/split-place.ts';
import { type Call, createCall, pause } from './load.ts';
import type { Scene } from './scene.ts';

/** A part of an installation, and how it goes away and comes back. */
type Part = {
  readonly name: string;
  down(): Promise<void>;
  up(): Promise<void>;
  /** After how many seconds of creates without it everything is tried once more. */
  readonly againAfterSeconds?: number;
};

/** What a caller, or nobody, asks an installation for. Rejects when it is not served. */
type Service = { readonly name: string; use(call: Call, key: string): Promise<unknown> };

const DONE_MS = 30_000;
const BACK_MS = 60_000;

const SERVICES: readonly Service[] = [
  { name: 'create', use: (call, key) => create(call, key) },
  { name: 'read', use: (call) => call('GET', '/api/answer-audit-logs?size=1') },
  { name: 'accounts', use: (call) => call('GET', '/api/tokens') },
  { name: 'OTLP', use: (call, key) => call('POST', `${OTEL}/v1/traces`, traces([answerSpan(1, key)])) },
  { name: 'evidence', use: upload },
  { name: 'proofs', use: (call) => call('GET', '/api/trust/keys') },
  { name: 'runs completed', use: (call) => reconcile(call) },
  { name: 'entries published', use: publish },
];

/** The rows of the table: which part is unavailable, and whether each service is there all the same. */
export async function tryWithoutEach(scene: Scene): Promise<readonly string[]> {
  const { managerToken } = await openSplitWorkspace(scene.installation);
  const call = createCall(scene.installation, managerToken);
  const rows: string[] = [];
  for (const part of [{ name: 'none', down: nothing, up: nothing }, ...partsOf(scene)]) {
    await part.down();
    const tryAll = async (name: string): Promise<void> => {
      const cells = await Promise.all(SERVICES.map((service, n) => judge(service, call, `${name}-${n}`)));
      rows.push(`| ${[name, ...cells].join(' | ')} |`);
      process.stdout.write(`${rows.at(-1)}\n`);
    };
    await tryAll(part.name);
    if (part.againAfterSeconds !== undefined) {
      await pause(part.againAfterSeconds * 1_000);
      await tryAll(`${part.name}, for more than ${part.againAfterSeconds} s`);
    }
    await part.up();
    await untilAllAreBack(call, part.name);
  }
  return rows;
}

/** The first lines of the table. */
export const AVAILABILITY_HEAD = [
  `| unavailable | ${SERVICES.map(({ name }) => name).join(' | ')} |`,
  `| --- | ${SERVICES.map(() => '---').join(' | ')} |`,
];

function partsOf({ installation, redis, relays, startPostgres, stopPostgres }: Scene): readonly Part[] {
  return [
    ...SPLIT_ROLES.map((role): Part => ({
      name: `\`${role}\``,
      down: async () => {
        for (const process of installation.of(role)) await process.current().stop();
      },
      up: async () => {
        for (const process of installation.of(role)) await process.start();
      },
    })),
    { name: 'Redis', down: () => redis.kill(), up: () => redis.start() },
    {
      name: 'the object store',
      down: () => Promise.resolve(relays['object store'].cut()),
      up: () => Promise.resolve(relays['object store'].repair()),
      // So long are entries appended whose head cannot be kept outside the database.
      againAfterSeconds: 60,
    },
    { name: 'PostgreSQL', down: () => stopPostgres('SIGTERM'), up: startPostgres },
  ];
}

async function judge(service: Service, call: Call, key: string): Promise<string> {
  try {
    await service.use(call, key);
    return 'yes';
  } catch (error) {
    return error instanceof Error && /^\d{3} /.test(error.message) ? `no, ${error.message.slice(0, 3)}` : 'no';
  }
}

async function untilAllAreBack(call: Call, name: string): Promise<void> {
  const deadline = performance.now() + BACK_MS;
  for (let n = 0; ; n++) {
    const found = await Promise.all(SERVICES.map((service) => judge(service, call, `${name}-back-${n}`)));
    if (found.every((one) => one === 'yes')) return;
    if (performance.now() > deadline) throw new Error(`not everything came back after ${name}`);
  }
}

function create(call: Call, key: string): Promise<unknown> {
  const texts = { question: { text: key }, answer: { text: key } };
  return call('POST', '/api/answer-audit-logs', { application_key: 'support-bot', idempotency_key: key, ...texts });
}

function upload(call: Call, key: string): Promise<unknown> {
  const form = new FormData();
  form.set('metadata', new Blob(['{"application_key":"support-bot"}'], { type: 'application/json' }));
  form.set('file', new File([`the evidence ${key}`], 'evidence.txt'));
  return call('POST', '/api/evidence-assets', form, { key });
}

async function reconcile(call: Call): Promise<void> {
  const now = Date.now();
  const { id } = await call('POST', '/api/reconciliations/runs', {
    application_key: 'support-bot',
    window_start: new Date(now - 60_000).toISOString(),
    window_end: new Date(now - 1_000).toISOString(),
    match_on: 'idempotency_key',
    references: [{ reference_id: 'some', occurred_at: new Date(now - 30_000).toISOString() }],
  });
  await until(async () => (await call('GET', `/api/reconciliations/runs/${id}`)).status === 'completed');
}

/** Adds an entry by whichever process is there, and waits until a larger tree is published. */
async function publish(call: Call, key: string): Promise<void> {
  const newest = async (): Promise<number> => (await call('GET', '/api/trust/checkpoints')).items[0]?.tree_size ?? 0;
  const before = await newest();
  await Promise.any([create(call, `${key}-entry`), upload(call, `${key}-entry`)]);
  await until(async () => (await newest()) > before);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DONE_MS;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error('it was not done in time');
    await pause(250);
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
