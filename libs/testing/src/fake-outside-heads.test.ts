import type { OutsideHead } from '@answer-evidence/ports';
import { outsideHeadsContract } from '@answer-evidence/ports/contracts';
import { describe, it } from '@jest/globals';
import { createFakeOutsideHeads } from './fake-outside-heads.ts';

describe('createFakeOutsideHeads keeps the contract:', () => {
  for (const promise of outsideHeadsContract) {
    it(promise.guarantee, async () => {
      const kept = new Map<string, OutsideHead>();
      await promise.prove({ open: () => Promise.resolve(createFakeOutsideHeads(kept)) });
    });
  }
});
