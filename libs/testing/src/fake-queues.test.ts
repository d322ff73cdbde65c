import { afterEach, describe, it } from '@jest/globals';
import { queueBackendContract } from '@answer-evidence/ports/contracts';
import { FakeQueues } from './fake-queues.ts';

const opened: FakeQueues[] = [];
afterEach(() => {
  for (const queues of opened.splice(0)) queues.close();
});

describe('the queue in memory', () => {
  it.each(queueBackendContract.map(({ guarantee, prove }) => [guarantee, prove] as const))('%s', async (_, prove) => {
    const queues = new FakeQueues();
    opened.push(queues);
    await prove({ open: () => Promise.resolve(queues.open()) });
  });
});
