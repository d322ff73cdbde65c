import { describe, it } from '@jest/globals';
import { headFilesContract } from '@answer-evidence/ports/contracts';
import { createFakeHeadFiles } from './fake-head-files.ts';

describe('createFakeHeadFiles keeps the contract:', () => {
  for (const promise of headFilesContract) {
    it(promise.guarantee, () => {
      const kept = new Map<string, string>();
      return promise.prove({ open: () => Promise.resolve(createFakeHeadFiles(kept)) });
    });
  }
});
