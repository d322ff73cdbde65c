import { describe, it } from '@jest/globals';
import { objectStoreContract } from '@answer-evidence/ports/contracts';
import { MemoryObjects } from './memory-objects.ts';

describe('objects in memory', () => {
  it.each(objectStoreContract.map((promise) => [promise.guarantee, promise] as const))(
    'keep the contract: %s',
    (_, promise) =>
      promise.prove({ store: new MemoryObjects(), nowMicros: () => Date.now() * 1_000, largeBytes: 200_000 }),
  );
});
