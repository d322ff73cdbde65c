import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from '@jest/globals';
import type { QueueBackend } from '@answer-evidence/ports';
import { queueBackendContract } from '@answer-evidence/ports/contracts';
import {
  hasRedis,
  openTestDatabase,
  openTestLogins,
  sessionOf,
  startTestRedis,
  type TestDatabase,
  type TestRedis,
} from '@answer-evidence/testing';
import { openPostgresQueues } from './postgres-queues.ts';
import { openRedisQueues } from './redis-queues.ts';

const CASES = queueBackendContract.map(({ guarantee, prove }) => [guarantee, prove] as const);
const opened: QueueBackend[] = [];
let isClosing = false;

function onError(error: Error): void {
  // A connection may break while it says goodbye, or when its database goes.
  if (!isClosing) throw error;
}

async function closeAll(): Promise<void> {
  isClosing = true;
  await Promise.all(opened.splice(0).map((queue) => queue.close()));
}

beforeEach(() => {
  isClosing = false;
});

async function keep(opening: Promise<QueueBackend>): Promise<QueueBackend> {
  const queue = await opening;
  opened.push(queue);
  return queue;
}

describe('the queue on PostgreSQL', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(async () => {
    await closeAll();
    await database.close();
  });

  it.each(CASES)('%s', async (_, prove) => {
    const { answer_evidence_relay: url } = await openTestLogins(database.url);
    const options = { ownerUrl: database.url, url, onError, sessionOf };
    await prove({ open: () => keep(openPostgresQueues(options)) });
  });
});

(hasRedis() ? describe : describe.skip)('the queue on Redis', () => {
  let redis: TestRedis;
  let n = 0;

  beforeAll(async () => {
    redis = await startTestRedis();
  });
  afterEach(closeAll);
  afterAll(() => redis.close());

  it.each(CASES)('%s', async (_, prove) => {
    const prefix = `contract-${n++}`;
    await prove({ open: () => keep(openRedisQueues({ url: redis.url, prefix, onError })) });
  });
});
