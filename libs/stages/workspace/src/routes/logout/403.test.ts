import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/logout', () => {
  it('answers 403 to an application', async () => {
    const { application, call } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', '/api/auth/logout', { as: application });
    expect(reply).toMatchObject({ status: 403, code: 'token_kind_not_allowed' });
  });
});
