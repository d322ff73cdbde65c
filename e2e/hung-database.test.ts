import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@answer-evidence/testing';
import {
  postgresPidsOf,
  readToken,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { openReadyData } from './support/ready-data.ts';

// The service's own limits are 1 s and 5 s; a busy machine adds to them, and without them there is no end.
const READY_MS_MAX = 10_000;
const CREATE_MS_MAX = 20_000;

let dataDir: string;
let service: ServiceProcess;
let baseUrl: string;
let readyUrl: string;
let token: string;
beforeAll(async () => {
  dataDir = await openReadyData('hung');
  const port = await findFreePort();
  readyUrl = `http://127.0.0.1:${port}/readyz`;
  service = startProcess({
    dataDir,
    environment: { SERVICE_LOG_LEVEL: 'error', SERVICE_METRICS_PORT: String(port) },
  });
  baseUrl = await service.ready;
  token = await readToken(dataDir);
}, 120_000);
afterAll(async () => {
  signalPostgres('SIGCONT');
  await service.stop();
  await until('the end of PostgreSQL', () => postgresPidsOf(dataDir).length === 0);
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

/** To every process of it that is found. */
function signalPostgres(signal: NodeJS.Signals): readonly number[] {
  const pids = postgresPidsOf(dataDir);
  for (const pid of pids) process.kill(pid, signal);
  return pids;
}

/** Stops every process of it: one that began while the others were looked for is found by the next look. */
function stopPostgres(): void {
  let stopped: readonly number[] = [];
  for (let found = signalPostgres('SIGSTOP'); found.length !== stopped.length; found = signalPostgres('SIGSTOP'))
    stopped = found;
}

type Timed = { readonly status: number; readonly body: any; readonly ms: number; readonly headers: Headers };

async function timed(url: string, init: RequestInit): Promise<Timed> {
  const startMs = performance.now();
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
  const body: unknown = await response.json();
  return { status: response.status, body, ms: performance.now() - startMs, headers: response.headers };
}

function create(key: string): Promise<Timed> {
  return timed(`${baseUrl}/api/answer-audit-logs`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...answer(`asked with ${key}`), idempotency_key: key }),
  });
}

async function countRecords(): Promise<number> {
  const { body } = await timed(`${baseUrl}/api/answer-audit-logs?size=1`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return body.total as number;
}

describe('while all of PostgreSQL is stopped', () => {
  it('creates are refused soon, and when it goes on none is lost or made twice', async () => {
    const before = await countRecords();
    const acknowledged = await Promise.all(['a', 'b', 'c'].map(create));
    expect(acknowledged.map(({ status }) => status)).toEqual([201, 201, 201]);
    // Some are on their way when it stops, and some come later.
    const underWay = ['d', 'e'].map(create);
    stopPostgres();
    const ready = await timed(readyUrl, {});
    const sent = [...underWay];
    for (const key of ['f', 'g', 'h', 'i']) {
      sent.push(create(key));
      await delay(700);
    }
    const late = await timed(readyUrl, {});
    const replies = await Promise.all(sent);
    signalPostgres('SIGCONT');

    expect([ready.status, ready.body.failing]).toEqual([503, ['postgres']]);
    expect(Math.max(ready.ms, late.ms)).toBeLessThan(READY_MS_MAX);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([503, 'ledger_unavailable']);
      expect(headers.get('retry-after')).not.toBeNull();
    }
    expect(Math.max(...replies.map(({ ms }) => ms))).toBeLessThan(CREATE_MS_MAX);

    await until('the service to be ready', async () => (await timed(readyUrl, {})).status === 200);
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const again = await Promise.all(keys.map(create));
    expect(again.map(({ status }) => status)).toEqual(keys.map(() => 201));
    // What was acknowledged before is the same record still.
    const known = [...acknowledged, ...replies.slice(0, 2)];
    for (const [n, { status, body }] of known.entries()) if (status === 201) expect(again[n]?.body.id).toBe(body.id);
    expect(await countRecords()).toBe(before + keys.length);
  }, 120_000);
});
