import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

const WATCHED_SECONDS = 30;
const PER_SECOND_MAX = 2;
/** In which what a start begins is done: heads are asked for while an entry is younger than 10 s. */
const SETTLED_MS = 12_000;

let service: TestService;
const asked = new Map<string, number>();
let restore: () => void;

/** Counts what this process, in which the service runs, asks PostgreSQL. */
function countStatements(): () => void {
  const { prototype } = pg.Client;
  const original = Object.getOwnPropertyDescriptor(prototype, 'query');
  if (original === undefined) throw new Error('pg has no query to be counted');
  const query = original.value as (...parameters: unknown[]) => unknown;
  Object.defineProperty(prototype, 'query', {
    ...original,
    value(this: unknown, ...parameters: unknown[]) {
      const [first] = parameters;
      const text = typeof first === 'string' ? first : (first as { name?: string; text?: string }).name;
      const name = (text ?? (first as { text?: string }).text ?? 'unknown').slice(0, 60);
      asked.set(name, (asked.get(name) ?? 0) + 1);
      return query.apply(this, parameters);
    },
  });
  return () => void Object.defineProperty(prototype, 'query', original);
}

beforeAll(async () => {
  restore = countStatements();
  service = await openTestService();
});
afterAll(async () => {
  await service.close();
  restore();
});

it(`a service that has nothing to do asks PostgreSQL less than ${PER_SECOND_MAX} times per second`, async () => {
  await sleep(SETTLED_MS);
  asked.clear();
  await sleep(WATCHED_SECONDS * 1_000);
  const statements = [...asked].toSorted(([, one], [, other]) => other - one);
  const count = statements.reduce((sum, [, times]) => sum + times, 0);
  // Where there are too many, the failure says which.
  expect(count < PER_SECOND_MAX * WATCHED_SECONDS ? [] : [count, ...statements]).toEqual([]);
  // A count that sees nothing would be as low.
  expect(asked.get('pulse')).toBeGreaterThan(WATCHED_SECONDS / 2);
});
