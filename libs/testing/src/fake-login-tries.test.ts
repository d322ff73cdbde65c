import { describe, it } from '@jest/globals';
import { loginTriesContract } from '@answer-evidence/ports/contracts';
import { createFakeLoginTries } from './fake-login-tries.ts';

describe('createFakeLoginTries keeps the contract:', () => {
  for (const promise of loginTriesContract) it(promise.guarantee, () => promise.prove(createFakeLoginTries()));
});
