import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { listRecords } from './support/assert-nothing-lost.ts';
import { answerSpan, OTEL, traces } from './support/otlp.ts';
import {
  findPostmaster,
  postgresPidsOf,
  type ServiceProcess,
  startOtlpIngester,
  startProcess,
  until,
} from './support/service-process.ts';

const REQUESTS = Number(process.env['OTLP_CRASH_REQUESTS'] ?? 30);
const SPANS = 40;
const LANES = 4;
const DEADLINE_MS = 420_000;
/** A job that its queue has lost with a killed database comes again after two minutes. */
const WORKED_OFF_MS = 240_000;

let dataDir: string;
let running: ServiceProcess[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-otlp-'));
  running = [];
});
afterEach(async () => {
  for (const service of running) service.kill('SIGTERM');
  await Promise.all(running.map(({ exited }) => exited));
  await until('the end of PostgreSQL', () => postgresPidsOf(dataDir).length === 0);
  await rm(dataDir, { recursive: true, force: true });
}, DEADLINE_MS);

function run(process: ServiceProcess): ServiceProcess {
  running.push(process);
  return process;
}

async function kill(service: ServiceProcess): Promise<void> {
  service.kill('SIGKILL');
  await service.exited;
}

it(
  'every span that was answered 200 is one record, whichever of the processes is killed meanwhile',
  async () => {
    const environment: Record<string, string> = { SERVICE_LOG_LEVEL: 'error' };
    let service = run(startProcess({ dataDir, environment }));
    const baseUrl = await service.ready;
    environment['SERVICE_HTTP_PORT'] = new URL(baseUrl).port;
    const token = /token: (aeu_\S+)/.exec(await readFile(join(dataDir, 'config.yaml'), 'utf8'))?.[1] ?? '';
    const databaseUrl = (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim();
    const startIngester = () =>
      run(startOtlpIngester({ dataDir, environment: { SERVICE_LOG_LEVEL: 'error', DATABASE_URL: databaseUrl } }));
    let ingester = startIngester();
    let ingesterUrl = await ingester.ready;

    const acknowledged = new Set<string>();
    let next = 0;
    /** Sends a request until it is acknowledged, as an exporter does, to one process or the other. */
    async function lane(): Promise<void> {
      for (let n = next++; n < REQUESTS; n = next++) {
        const keys = Array.from({ length: SPANS }, (_, m) => `span-${n}-${m}`);
        const body = JSON.stringify(traces(keys.map((key, m) => answerSpan(n * SPANS + m, key))));
        for (let attempt = 0; ; attempt++) {
          const url = (n + attempt) % 2 === 0 ? baseUrl : ingesterUrl;
          const reply = await fetch(`${url}${OTEL}/v1/traces`, {
            method: 'POST',
            body,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          }).catch(() => undefined);
          if (reply?.status === 200) {
            expect(await reply.json()).toEqual({});
            break;
          }
          expect([undefined, 503]).toContain(reply?.status);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        for (const key of keys) acknowledged.add(key);
      }
    }
    const strokes: readonly (readonly [after: number, strike: () => Promise<void>])[] = [
      [
        0.15,
        async () => {
          await kill(ingester);
          ingester = startIngester();
          ingesterUrl = await ingester.ready;
        },
      ],
      [
        0.4,
        () => {
          const pid = findPostmaster(dataDir);
          if (pid !== undefined) process.kill(pid, 'SIGKILL');
          return Promise.resolve();
        },
      ],
      [
        0.7,
        async () => {
          await kill(service);
          service = run(startProcess({ dataDir, environment }));
          await service.ready;
        },
      ],
    ];
    async function strike(): Promise<void> {
      for (const [after, stroke] of strokes) {
        await until(`${after} of all`, () => acknowledged.size >= after * REQUESTS * SPANS);
        await stroke();
      }
    }
    await Promise.all([strike(), ...Array.from({ length: LANES }, lane)]);
    expect(acknowledged.size).toBe(REQUESTS * SPANS);

    const place = { baseUrl, token, databaseUrl };
    const headers = { authorization: `Bearer ${token}` };
    const total = async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const reply = await fetch(`${baseUrl}/api/answer-audit-logs?size=1`, { headers }).catch(() => undefined);
      return reply?.status === 200 ? ((await reply.json()) as { total: number }).total : 0;
    };
    await until('all records', async () => (await total()) >= acknowledged.size, WORKED_OFF_MS);
    const listed = await listRecords(place);
    expect(listed.length).toBe(acknowledged.size);
    expect(new Set(listed.map(([key]) => key))).toEqual(acknowledged);
    const checked = await fetch(`${baseUrl}/api/trust/ledger-checks`, { method: 'POST', headers });
    expect(await checked.json()).toMatchObject({ outcome: 'PASS', findings: [] });
  },
  DEADLINE_MS,
);
