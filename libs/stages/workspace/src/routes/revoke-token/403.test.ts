import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

describe('DELETE /api/tokens/0199f3c2-0000-7000-8000-000000000001', () => {
  it('answers 403 to an application', async () => {
    const { application, call } = createFakeStage(createWorkspaceStage);
    expect(await call('DELETE', '/api/tokens/0199f3c2-0000-7000-8000-000000000001', { as: application })).toMatchObject(
      { status: 403, code: 'token_kind_not_allowed' },
    );
  });
});
