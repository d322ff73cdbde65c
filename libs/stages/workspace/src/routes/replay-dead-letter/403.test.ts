import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/dead-letters/0199f3c2-0000-7000-8000-000000000001/replay', () => {
  it('answers 403 to a member and to an application', async () => {
    const { call, application, database, member } = createFakeStage(createWorkspaceStage);
    const path = '/api/dead-letters/0199f3c2-0000-7000-8000-000000000001/replay';
    expect(await call('POST', path, { as: member })).toMatchObject({ status: 403, code: 'role_not_allowed' });
    expect(await call('POST', path, { as: application })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
    expect(database.jobs).toEqual([]);
  });
});
