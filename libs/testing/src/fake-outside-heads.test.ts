import { outsideHeadsContract } from '@answer-evidence/ports/contracts';
import { describe, it } from '@jest/globals';
import { createFakeOutsideHeads, createOutsideStorage } from './fake-outside-heads.ts';

describe('createFakeOutsideHeads keeps the contract:', () => {
  for (const promise of outsideHeadsContract) {
    it(promise.guarantee, async () => {
      const storage = createOutsideStorage();
      await promise.prove({ open: () => Promise.resolve(createFakeOutsideHeads(storage)) });
    });
  }
});
