import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { loginTriesContract } from '@answer-evidence/ports/contracts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { createLoginTryStore } from '../index.ts';

let log: TestLog;
beforeAll(async () => {
  log = await openTestLog();
});
afterAll(() => log.close());

describe('createLoginTryStore keeps the contract:', () => {
  for (const promise of loginTriesContract) it(promise.guarantee, () => promise.prove(createLoginTryStore(log.pool)));
});
