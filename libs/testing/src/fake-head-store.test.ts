import { describe, it } from '@jest/globals';
import { headStoreContract } from '@answer-evidence/ports/contracts';
import { createFakeHeadStore, createHeadStorage } from './fake-head-store.ts';

describe('createFakeHeadStore keeps the contract:', () => {
  for (const promise of headStoreContract) {
    it(promise.guarantee, async () => {
      const storage = createHeadStorage();
      await promise.prove({ open: () => Promise.resolve(createFakeHeadStore(storage)) });
    });
  }
});
