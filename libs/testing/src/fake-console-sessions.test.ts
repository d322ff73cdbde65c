import { describe, it } from '@jest/globals';
import { consoleSessionsContract } from '@answer-evidence/ports/contracts';
import { createFakeConsoleSessions } from './fake-console-sessions.ts';

describe('createFakeConsoleSessions keeps the contract:', () => {
  for (const promise of consoleSessionsContract)
    it(promise.guarantee, () =>
      promise.prove({ store: createFakeConsoleSessions(), workspaceId: 'one', otherWorkspaceId: 'another' }),
    );
});
