import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember, addWithPassword } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('PATCH /api/members/{member_id}', () => {
  it.each([{ role: 'member' }, { disabled: true }])(
    'answers 409 when the last manager would be gone: %j',
    async (body) => {
      const stage = createFakeStage(createWorkspaceStage);
      const { id } = await addWithPassword(stage, 'anna', 'manager');
      await addMember(stage, 'never-signed-in', 'manager');
      expect(await stage.call('PATCH', `/api/members/${id}`, { as: stage.manager, body })).toMatchObject({
        status: 409,
        code: 'last_manager',
      });
      expect(stage.database.rows.members.find((row) => row.id === id)).toMatchObject({
        role: 'manager',
        disabled_at: null,
      });
    },
  );

  it('answers 409 to a version that is not the current one', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addMember(stage, 'anna');
    const body = { disabled: true, version: 2 };
    const reply = await stage.call('PATCH', `/api/members/${id}`, { as: stage.manager, body });
    expect(reply).toMatchObject({ status: 409, code: 'version_conflict' });
  });
});
