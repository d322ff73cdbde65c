import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findFreePort, hasRedis, startTestRedis, type TestRedis } from '@answer-evidence/testing';
import { type Exporter, EXPORTERS, openExporter } from '@answer-evidence/testing/exporters';
import { OTEL } from '../tools/scenery/otlp.ts';
import {
  findPostmaster,
  postgresPidsOf,
  readToken,
  type ServiceProcess,
  startOtlpIngester,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { listRecords } from './support/assert-nothing-lost.ts';
import { openReadyData } from './support/ready-data.ts';

const BATCHES = Number(process.env['OTLP_CRASH_BATCHES'] ?? 20);
const ITEMS = 40;
const DEADLINE_MS = 420_000;
/** A job that its queue has lost with a killed database comes again after a minute, more than once here. */
const WORKED_OFF_MS = 240_000;

let dataDir: string;
let running: ServiceProcess[];
let exporters: Exporter[];
let redis: TestRedis | undefined;
beforeEach(async () => {
  dataDir = await openReadyData('otlp');
  running = [];
  exporters = [];
  redis = undefined;
});
afterEach(async () => {
  for (const exporter of exporters) await exporter.close();
  for (const service of running) service.kill('SIGTERM');
  await Promise.all(running.map(({ exited }) => exited));
  await redis?.close();
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

it.each(hasRedis() ? ['PostgreSQL', 'Redis'] : ['PostgreSQL'])(
  'every item that an exporter was answered 200 is one record, whichever process is killed meanwhile; queues in %s',
  async (queues) => {
    if (queues === 'Redis') redis = await startTestRedis();
    const shared = { SERVICE_LOG_LEVEL: 'error', ...(redis === undefined ? {} : { REDIS_URL: redis.url }) };
    const environment = { ...shared, SERVICE_HTTP_PORT: String(await findFreePort()) };
    let service = run(startProcess({ dataDir, environment }));
    const baseUrl = await service.ready;
    const token = await readToken(dataDir);
    const databaseUrl = (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim();
    // The service writes through into the ledger, and the ingester uses the inbox: the items take both ways.
    const ofIngester = {
      ...shared,
      SERVICE_HTTP_PORT: String(await findFreePort()),
      DATABASE_URL: databaseUrl,
      SERVICE_OTLP_LEDGER_WAIT_MS: '0',
    };
    const startIngester = () => run(startOtlpIngester({ dataDir, environment: ofIngester }));
    let ingester = startIngester();
    const ingesterUrl = await ingester.ready;

    const acknowledged = new Set<string>();
    let next = 0;
    /** Exports a batch until it is acknowledged: the exporter retries first, then the application exports again. */
    async function lane(exporter: Exporter): Promise<void> {
      for (let n = next++; n < BATCHES; n = next++) {
        const keys = Array.from({ length: ITEMS }, (_, m) => `answer-${n}-${m}`);
        for (let isAcknowledged = false; !isAcknowledged;) {
          for (const key of keys)
            exporter.record({
              'service.audit.idempotency_key': key,
              'service.audit.question_text': `the question ${key}`,
              'service.audit.answer_text': `the answer ${key}`,
            });
          const outcomes = await exporter.flush();
          isAcknowledged = outcomes.length > 0 && outcomes.every(({ error }) => error === undefined);
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
          await ingester.ready;
        },
      ],
      [
        0.4,
        async () => {
          if (redis === undefined) {
            const pid = findPostmaster(dataDir);
            if (pid !== undefined) process.kill(pid, 'SIGKILL');
          } else await redis.kill();
        },
      ],
      [
        0.6,
        async () => {
          await redis?.start();
          await redis?.command('FLUSHALL');
        },
      ],
      [
        0.75,
        async () => {
          await kill(service);
          service = run(startProcess({ dataDir, environment }));
          await service.ready;
        },
      ],
    ];
    async function strike(): Promise<void> {
      for (const [after, stroke] of strokes) {
        await until(`${after} of all`, () => acknowledged.size >= after * BATCHES * ITEMS);
        await stroke();
      }
    }
    for (const [n, kind] of EXPORTERS.entries()) {
      const endpoint = (n % 2 === 0 ? baseUrl : ingesterUrl) + OTEL;
      const resource = { 'service.name': 'support-bot' };
      exporters.push(openExporter({ ...kind, endpoint, token, resource, isCompressed: n < 2 }));
    }
    await Promise.all([strike(), ...exporters.map(lane)]);
    expect(acknowledged.size).toBe(BATCHES * ITEMS);

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
