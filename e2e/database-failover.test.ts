import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CuttableRelay,
  openCuttableRelay,
  startTestReplication,
  type TestReplication,
} from '@answer-evidence/testing';
import {
  readToken,
  runOperatorCommand,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';

const LANES = 4;
/** How long a lane rests after each record: every one of them is asked for again at the end. */
const REST_MS = 25;
/** How long the load goes on before the primary ends, while only a standby is there, and after it was promoted. */
const PHASE_MS = 3_000;

let dataDir: string;
let databases: TestReplication;
/** The one address of the database, which leads to another server after the failover. */
let relay: CuttableRelay;
let environment: Readonly<Record<string, string>>;
let service: ServiceProcess | undefined;
let baseUrl: string;
let token: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-failover-'));
  databases = await startTestReplication();
  relay = await openCuttableRelay(databases.primaryUrl);
  const url = new URL(databases.primaryUrl);
  url.port = new URL(relay.url).port;
  environment = { DATABASE_URL: url.href, SERVICE_DATABASE_FAILOVER: 'synchronous:standby' };
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await relay.close();
  await databases.close();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

type Created = { readonly status: number; readonly body: any };

async function call(method: string, path: string, body?: unknown): Promise<Created> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, body: await response.json() };
}

function create(key: string): Promise<Created> {
  return call('POST', '/api/answer-audit-logs', { ...answer(`asked with ${key}`), idempotency_key: key });
}

describe('a PostgreSQL with a standby', () => {
  it('is refused at the start where DATABASE_URL leads to the standby', async () => {
    const refused = startProcess({ dataDir, environment: { DATABASE_URL: databases.standbyUrl } });
    expect(await refused.exited).toEqual({ code: 1, signal: null });
    expect(refused.stderr).toEqual([
      expect.stringMatching(
        /^answer-evidence: PostgreSQL at .* is a standby, which accepts no writes; let DATABASE_URL lead to the primary$/,
      ),
    ]);
  });

  it('loses nothing under load when the primary dies and the standby is promoted, and answers 503 until then', async () => {
    const running = (service = startProcess({ dataDir, environment }));
    baseUrl = await running.ready;
    token = await readToken(dataDir);
    const acknowledged = new Map<string, string>();
    const statuses = { standby: new Map<string, number>(), all: new Set<number>() };
    let phase: 'primary' | 'standby' | 'promoted' = 'primary';
    let isOver = false;
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      for (let n = 0; !isOver; n++) {
        const key = `${lane}-${n}`;
        await delay(REST_MS);
        for (;;) {
          const asked = phase;
          const { status, body } = await create(key);
          statuses.all.add(status);
          if (asked === 'standby') {
            const what = `${status} ${String(body.code)}`;
            statuses.standby.set(what, (statuses.standby.get(what) ?? 0) + 1);
          }
          if (status === 201) {
            acknowledged.set(key, body.id as string);
            break;
          }
          await delay(100);
        }
      }
    });
    await delay(PHASE_MS);
    await databases.killPrimary();
    relay.cut();
    relay.turnTo(databases.standbyUrl);
    relay.mend();
    phase = 'standby';
    // What is only read is there again before anyone promotes the standby.
    await until(
      'reads from the standby',
      async () => (await call('GET', '/api/answer-audit-logs?size=1')).status === 200,
    );
    await delay(PHASE_MS);
    phase = 'promoted';
    await databases.promote();
    const before = acknowledged.size;
    await until('creates after the promotion', () => acknowledged.size > before + LANES);
    await delay(PHASE_MS);
    isOver = true;
    await Promise.all(lanes);

    expect([...statuses.all].toSorted()).toEqual([201, 503]);
    expect([...statuses.standby.keys()].filter((what) => !what.startsWith('201'))).toEqual(['503 ledger_unavailable']);
    for (const [key, id] of acknowledged) expect((await create(key)).body.id).toBe(id);
    const { body } = await call('GET', '/api/answer-audit-logs?size=1');
    expect(body.total).toBe(acknowledged.size);
    // It went on by itself, and the whole ledger is one history.
    expect(await running.stop()).toEqual({ code: 0, signal: null });
    const checked = await runOperatorCommand(['ledger-check'], { dataDir, environment });
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('PASS')]);
  }, 120_000);
});
