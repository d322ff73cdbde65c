import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestAuthority } from '@answer-evidence/testing';
import { startWitness, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { activeVkeyOf, EAGER_POLICY, vkeyOf } from './support/attested-log.ts';

const WATCHED_SECONDS = 30;
const PER_SECOND_MAX = 2;
/** In which what a start begins is done: heads are asked for while an entry is younger than 10 s. */
const SETTLED_MS = 12_000;

const services: Record<string, TestService> = {};
const closing: (() => unknown)[] = [];
/** How often each statement was sent, by the name of the database. */
const asked = new Map<string, Map<string, number>>();

/** Counts what this process, in which the services run, asks PostgreSQL. */
function countStatements(): () => void {
  const { prototype } = pg.Client;
  const original = Object.getOwnPropertyDescriptor(prototype, 'query');
  if (original === undefined) throw new Error('pg has no query to be counted');
  const query = original.value as (...parameters: unknown[]) => unknown;
  Object.defineProperty(prototype, 'query', {
    ...original,
    value(this: pg.Client, ...parameters: unknown[]) {
      const [first] = parameters;
      const text = typeof first === 'string' ? first : (first as { name?: string; text?: string }).name;
      const name = (text ?? (first as { text?: string }).text ?? 'unknown').slice(0, 60);
      const ofDatabase = asked.get(this.database ?? '') ?? new Map<string, number>();
      asked.set(this.database ?? '', ofDatabase.set(name, (ofDatabase.get(name) ?? 0) + 1));
      return query.apply(this, parameters);
    },
  });
  return () => void Object.defineProperty(prototype, 'query', original);
}

/** Has a witness cosign the log of a service and an authority stamp it, and waits until both have. */
async function attest(service: TestService): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-witness-'));
  const witness = startWitness(['--name', 'w.example', '--log', await activeVkeyOf(service)], { dataDir: folder });
  const authority = await openTestAuthority();
  closing.push(
    () => rm(folder, { recursive: true, force: true }),
    () => witness.stop(),
    () => authority.close(),
  );
  const { url, rootPem: certificate_pem } = authority;
  const anchors = [{ id: 'tsa', type: 'rfc3161', url, certificate_pem, required: true }];
  const witness_policy = `witness w1 ${await witness.ready.then((at) => `${vkeyOf(witness.stderr)} ${at}`)}\nquorum w1\n`;
  const body = { ...EAGER_POLICY, anchors, anchors_required: 1, witness_policy };
  expect((await service.call('PUT', '/api/trust/policy', { body })).status).toBe(200);
  await until('a cosigned and anchored log', async () => {
    const { items } = (await service.call('GET', '/api/trust/checkpoints')).body;
    const anchored = (await service.call('GET', '/api/trust/anchors')).body.items;
    return items[0]?.quorum_reached === true && anchored[0]?.tree_size === items[0].tree_size;
  });
}

beforeAll(async () => {
  closing.push(countStatements());
  for (const name of ['with the default policy', 'with a witness and an authority']) {
    const service = (services[name] = await openTestService());
    closing.push(() => service.close());
  }
  await attest(services['with a witness and an authority'] as TestService);
  await sleep(SETTLED_MS);
  asked.clear();
  await sleep(WATCHED_SECONDS * 1_000);
}, 180_000);
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

it.each(['with the default policy', 'with a witness and an authority'])(
  `a service %s that has nothing to do asks PostgreSQL less than ${PER_SECOND_MAX} times per second`,
  (name) => {
    const database = new URL(services[name]?.databaseUrl ?? '').pathname.slice(1);
    const statements = [...(asked.get(database) ?? [])].toSorted(([, one], [, other]) => other - one);
    const count = statements.reduce((sum, [, times]) => sum + times, 0);
    // Where there are too many, the failure says which.
    expect(count < PER_SECOND_MAX * WATCHED_SECONDS ? [] : [count, ...statements]).toEqual([]);
    // A count that sees nothing would be as low.
    expect(asked.get(database)?.get('pulse')).toBeGreaterThan(WATCHED_SECONDS / 2);
  },
);
