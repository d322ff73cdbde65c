import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/tokens/{token_id}/rotate', () => {
  it.each([-1, 0.5, 86_401, '60', null])('refuses an overlap of %p seconds', async (seconds) => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const body = { overlap_seconds: seconds };
    expect(
      await call('POST', '/api/tokens/0199f3c2-0000-7000-8000-000000000001/rotate', { as: manager, body }),
    ).toMatchObject({
      status: 422,
      code: 'schema_violation',
      errors: [{ pointer: '/overlap_seconds' }],
    });
  });

  it('refuses to change anything else about the token', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const body = { scopes: ['answer_audit:create'] };
    expect(
      await call('POST', '/api/tokens/0199f3c2-0000-7000-8000-000000000001/rotate', { as: manager, body }),
    ).toMatchObject({ status: 422 });
  });
});
