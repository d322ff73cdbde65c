import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('PATCH /api/members/{member_id}', () => {
  it('answers 404 for nobody, for a removed member, and for a member of another workspace', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const there = createFakeStage(createWorkspaceStage);
    const gone = await addMember(stage, 'gone');
    await stage.call('DELETE', `/api/members/${gone.id}`, { as: stage.manager });
    const ids = ['0199f3c2-0000-7000-8000-000000000001', 'anna', gone.id, (await addMember(there, 'anna')).id];
    for (const id of ids) {
      const reply = await stage.call('PATCH', `/api/members/${id}`, { as: stage.manager, body: { disabled: true } });
      expect(reply).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});
