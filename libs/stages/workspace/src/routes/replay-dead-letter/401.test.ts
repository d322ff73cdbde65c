import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/dead-letters/0199f3c2-0000-7000-8000-000000000001/replay', () => {
  it('answers 401 to a request without a token', async () => {
    const { call, database } = createFakeStage(createWorkspaceStage);
    expect(await call('POST', '/api/dead-letters/0199f3c2-0000-7000-8000-000000000001/replay')).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(database.jobs).toEqual([]);
  });
});
