import { describe, expect, it } from '@jest/globals';
import { openStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/tenant/entries/{entry_id}', () => {
  it('has no entry of another workspace, and none about a record', async () => {
    const { call, manager } = await openStage(createWorkspaceStage);
    const reply = await call('GET', '/api/tenant/entries/0199f3c2-0000-7000-8000-000000000001', { as: manager });
    expect(reply).toMatchObject({ status: 404, code: 'not_found' });
  });
});
