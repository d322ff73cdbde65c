import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { consoleSessionsContract } from '@answer-evidence/ports/contracts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { createConsoleSessionStore, createWorkspace } from '../index.ts';

let log: TestLog;
let otherWorkspaceId: string;

beforeAll(async () => {
  log = await openTestLog();
  ({ workspaceId: otherWorkspaceId } = await createWorkspace(
    log.pool,
    { vault: log.vault, clock: log.clock, random: log.random },
    { slug: 'other', displayName: 'Other', host: 'log.example', member: { username: 'mia', role: 'manager' } },
  ));
});
afterAll(() => log.close());

describe('createConsoleSessionStore keeps the contract:', () => {
  for (const promise of consoleSessionsContract)
    it(promise.guarantee, () =>
      promise.prove({
        store: createConsoleSessionStore(log.pool),
        workspaceId: log.workspace.id,
        otherWorkspaceId,
      }),
    );
});
