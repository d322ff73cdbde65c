import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort, openTestDatabase } from '@answer-evidence/testing';
import {
  findPostmaster,
  postgresPidsOf,
  readToken,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { assertNothingLost } from './support/assert-nothing-lost.ts';
import { createAll } from './support/creating-client.ts';
import { openReadyData } from './support/ready-data.ts';

const CREATES = Number(process.env['CRASH_CREATES'] ?? 2_000);
/** How often each kind of stroke falls. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1);
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 2 ** 31);
const DEADLINE_MS = 300_000;

/** Mulberry32: the same seed gives the same plan. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function never(): never {
  throw new Error('nothing was acknowledged');
}

function keysOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `message-${index}`);
}

let dataDir: string;
let running: ServiceProcess[];
beforeEach(async () => {
  dataDir = await openReadyData('crash');
  running = [];
});
afterEach(async () => {
  for (const service of running) service.kill('SIGTERM');
  await Promise.all(running.map(({ exited }) => exited));
  await until('the end of PostgreSQL', () => postgresPidsOf(dataDir).length === 0);
  await rm(dataDir, { recursive: true, force: true });
});

function start(environment: Record<string, string> = {}): ServiceProcess {
  const service = startProcess({ dataDir, environment: { SERVICE_LOG_LEVEL: 'error', ...environment } });
  running.push(service);
  return service;
}

async function kill(service: ServiceProcess): Promise<void> {
  service.kill('SIGKILL');
  await service.exited;
}

/** Runs the strokes in turn, each after its number of acknowledged creates. `done` resolves after the last. */
function planStrokes(strokes: readonly { readonly after: number; readonly strike: () => Promise<void> }[]) {
  const waiting = [...strokes].sort((a, b) => a.after - b.after);
  const total = waiting.length;
  let struck = 0;
  let chain: Promise<void> = Promise.resolve();
  return {
    reach(count: number): void {
      for (let next = waiting[0]; next !== undefined && next.after <= count; next = waiting[0]) {
        waiting.shift();
        const { strike } = next;
        chain = chain.then(strike).then(() => void struck++);
        // Awaited at the end; a failure before that is no unhandled one.
        chain.catch(() => undefined);
      }
    },
    async done(): Promise<void> {
      await chain;
      expect(struck).toBe(total);
    },
  };
}

describe('whatever is killed', () => {
  it(
    `no acknowledged record is lost or doubled, and every receipt stays good (${CREATES} creates, seed ${SEED})`,
    async () => {
      const random = createRandom(SEED);
      const place = { SERVICE_HTTP_PORT: String(await findFreePort()) };
      let service = start(place);
      const baseUrl = await service.ready;
      const token = await readToken(dataDir);
      const again = () => start(place);

      function killPostgres(): void {
        const pid = findPostmaster(dataDir);
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      }
      async function restart(): Promise<void> {
        service = again();
        await service.ready;
      }
      const strikes = {
        service: async () => {
          await kill(service);
          await restart();
        },
        postgres: () => Promise.resolve(killPostgres()),
        both: async () => {
          killPostgres();
          await kill(service);
          await restart();
        },
        'service, and again while it starts': async () => {
          await kill(service);
          const short = again();
          await new Promise((resolve) => setTimeout(resolve, random() * 600));
          await kill(short);
          await restart();
        },
      };
      const round = ['service', 'postgres', 'postgres', 'both', 'service, and again while it starts'] as const;
      const kinds = Array.from({ length: ROUNDS }, () => round).flat();
      const plan = kinds.map((kind) => ({ kind, after: Math.ceil(CREATES * (0.02 + 0.95 * random())) }));
      const strokes = planStrokes(plan.map(({ kind, after }) => ({ after, strike: strikes[kind] })));
      const load = await createAll({
        keys: keysOf(CREATES),
        connections: 16 + Math.floor(random() * 49),
        token,
        baseUrls: [baseUrl],
        onAcknowledged: (count) => strokes.reach(count),
      });
      await strokes.done();
      console.log(
        `seed ${SEED}; killed ${plan.map(({ kind, after }) => `${kind} after ${after}`).join(', ')}; sent again ` +
          [...load.retries].map(([what, times]) => `${times} (${what})`).join(', '),
      );

      expect([...load.retries.keys()].filter((what) => what.includes('missing'))).toEqual([]);
      const databaseUrl = (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim();
      await assertNothingLost({ baseUrl, token, databaseUrl }, load.acknowledged);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    },
    DEADLINE_MS,
  );

  it(
    `of two services on one database the other goes on, and nothing is lost or doubled (seed ${SEED})`,
    async () => {
      const creates = Math.ceil(CREATES / 3);
      const random = createRandom(SEED);
      const database = await openTestDatabase();
      try {
        const ports = [await findFreePort(), await findFreePort()];
        const startOn = (port: number) => start({ DATABASE_URL: database.url, SERVICE_HTTP_PORT: String(port) });
        const services: ServiceProcess[] = [];
        const baseUrls: string[] = [];
        for (const port of ports) {
          const service = startOn(port);
          services.push(service);
          baseUrls.push(await service.ready);
        }
        const token = await readToken(dataDir);
        const strokes = planStrokes(
          [0, 1, 0].map((which) => ({
            after: Math.ceil(creates * (0.05 + 0.9 * random())),
            strike: async () => {
              await kill(services[which]!);
              services[which] = startOn(ports[which]!);
              await services[which].ready;
            },
          })),
        );
        const { acknowledged } = await createAll({
          keys: keysOf(creates),
          connections: 32,
          token,
          baseUrls,
          onAcknowledged: (count) => strokes.reach(count),
        });
        await strokes.done();
        const place = { baseUrl: baseUrls[1]!, token, databaseUrl: database.url };
        await assertNothingLost(place, acknowledged);
        // What that would say if it were otherwise: a lost record, a record twice, a receipt of another tree.
        const [[key, kept] = never(), [, other] = never()] = acknowledged;
        const altered = [
          { ...kept, id: other.id },
          { ...kept, receipt: other.receipt },
        ];
        for (const one of altered)
          await expect(assertNothingLost(place, new Map([...acknowledged, [key, one]]))).rejects.toThrow();
        await expect(assertNothingLost(place, new Map([...acknowledged, ['never sent', kept]]))).rejects.toThrow();
        await expect(assertNothingLost(place, new Map([...acknowledged].slice(1)))).rejects.toThrow();
        await Promise.all(services.map((service) => service.stop()));
      } finally {
        await database.close();
      }
    },
    DEADLINE_MS,
  );
});

describe('a living service whose PostgreSQL is killed', () => {
  it('says 503 with Retry-After until it has started it again, by itself', async () => {
    const service = start();
    const baseUrl = await service.ready;
    const token = await readToken(dataDir);
    const create = (key: string) =>
      fetch(`${baseUrl}/api/answer-audit-logs`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          application_key: 'support-bot',
          idempotency_key: key,
          question: { text: 'a question' },
          answer: { text: 'an answer' },
        }),
      });
    expect((await create('before')).status).toBe(201);
    const killed = findPostmaster(dataDir)!;
    process.kill(killed, 'SIGKILL');
    const statuses = new Set<number>();
    await until('the recovery', async () => {
      const reply = await create('after');
      await reply.text();
      statuses.add(reply.status);
      if (reply.status === 503) expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0);
      return reply.status === 201 && statuses.has(503);
    });
    expect([...statuses].sort()).toEqual([201, 503]);
    expect(findPostmaster(dataDir)).not.toBe(killed);
    expect(service.stderr.filter((line) => line.includes('PostgreSQL exited unexpectedly'))).toHaveLength(1);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });
});
