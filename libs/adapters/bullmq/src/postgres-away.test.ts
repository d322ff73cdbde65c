import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Delivery, QueueBackend } from '@answer-evidence/ports';
import {
  type CuttableRelay,
  openCuttableRelay,
  openTestDatabase,
  openTestLogins,
  sessionOf,
  type TestDatabase,
} from '@answer-evidence/testing';
import { openPostgresQueues } from './index.ts';

/** More failures than a worker that pauses can come to, long before one that does not would stop. */
const FAILURES_MAX = 50;

let database: TestDatabase;
let relay: CuttableRelay;
let queue: QueueBackend;
/** Resolves with the first failure after that of the connection that was open. */
let hasFailed: Promise<void>;
/** Rejects when a worker fails so often that it cannot have paused. */
let hurried: Promise<never>;

beforeEach(async () => {
  database = await openTestDatabase();
  relay = await openCuttableRelay(database.url);
  let failures = 0;
  const first = Promise.withResolvers<void>();
  const last = Promise.withResolvers<never>();
  hasFailed = first.promise;
  hurried = last.promise;
  hurried.catch(() => undefined);
  const url = new URL((await openTestLogins(database.url)).answer_evidence_relay);
  url.port = new URL(relay.url).port;
  queue = await openPostgresQueues({
    ownerUrl: database.url,
    url: url.href,
    sessionOf,
    onError() {
      failures += 1;
      if (failures === 2) first.resolve();
      if (failures !== FAILURES_MAX) return;
      last.reject(new Error(`a worker failed ${failures} times`));
      // One that goes on without a pause lets nothing else of the process run, not even the end of this test.
      void queue.close();
    },
  });
});
afterEach(async () => {
  await queue.close();
  await relay.close();
  await database.close();
});

function newDelivery(): Delivery {
  const id = randomUUID();
  return { id: `${id}-0`, job: { id, topic: 'trust.run', workspace_id: randomUUID(), subject: null } };
}

it('a worker whose first connection is cut pauses, and works once PostgreSQL is there', async () => {
  relay.cut();
  const { promise: ran, resolve } = Promise.withResolvers<string>();
  queue.work('trust.run', 4, ({ id }) => {
    resolve(id);
    return Promise.resolve();
  });
  await hasFailed;
  relay.mend();
  const delivery = newDelivery();
  // Of a queue that is closed meanwhile, neither ever settles.
  const done = queue.enqueue([delivery]).then(() => ran);
  expect(await Promise.race([hurried, done])).toBe(delivery.job.id);
});

it('a queue whose first connection is cut takes jobs once PostgreSQL is there', async () => {
  relay.cut();
  await expect(queue.enqueue([newDelivery()])).rejects.toThrow();
  relay.mend();
  await queue.enqueue([newDelivery()]);
  expect(await queue.counts('trust.run')).toEqual({ waiting: 1, running: 0 });
});
