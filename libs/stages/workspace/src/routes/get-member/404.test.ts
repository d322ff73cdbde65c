import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/members/{member_id}', () => {
  it('answers 404 for nobody and for a member of another workspace', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const there = createFakeStage(createWorkspaceStage);
    for (const id of ['0199f3c2-0000-7000-8000-000000000001', (await addMember(there, 'anna')).id])
      expect(await stage.call('GET', `/api/members/${id}`, { as: stage.manager })).toMatchObject({
        status: 404,
        code: 'not_found',
      });
  });
});
