import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/dead-letters', () => {
  it('answers 403 to a member and to an application', async () => {
    const { call, application, database, member } = createFakeStage(createWorkspaceStage);
    const path = '/api/dead-letters';
    expect(await call('GET', path, { as: member })).toMatchObject({ status: 403, code: 'role_not_allowed' });
    expect(await call('GET', path, { as: application })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
    expect(database.jobs).toEqual([]);
  });
});
