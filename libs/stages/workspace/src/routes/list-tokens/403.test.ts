import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/tokens', () => {
  it('answers 403 to an application', async () => {
    const { application, call } = createFakeStage(createWorkspaceStage);
    expect(await call('GET', '/api/tokens', { as: application })).toMatchObject({
      status: 403,
      code: 'token_kind_not_allowed',
    });
  });
});
