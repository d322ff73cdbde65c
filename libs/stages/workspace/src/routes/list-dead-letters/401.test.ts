import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/dead-letters', () => {
  it('answers 401 to a request without a token', async () => {
    const { call, database } = createFakeStage(createWorkspaceStage);
    expect(await call('GET', '/api/dead-letters')).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(database.jobs).toEqual([]);
  });
});
