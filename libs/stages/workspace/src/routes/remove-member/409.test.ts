import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addWithPassword, callerOf } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('DELETE /api/members/{member_id}', () => {
  it('answers 409 for the last manager, also by themself, and they stay', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const last = await addWithPassword(stage, 'anna', 'manager');
    for (const as of [stage.manager, callerOf(stage, last)])
      expect(await stage.call('DELETE', `/api/members/${last.id}`, { as })).toMatchObject({
        status: 409,
        code: 'last_manager',
      });
    expect(stage.database.rows.members.find((row) => row.id === last.id)?.removed_at).toBeNull();
  });
});
