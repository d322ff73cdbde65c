import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const FOR_USER = { name: 'mine', kind: 'user' };
const FOR_BOT = { name: 'bot', kind: 'application', application_key: 'bot', scopes: ['answer_audit:read'] };

describe('POST /api/tokens', () => {
  it('answers 403 to a member who wants an application token, complete or not', async () => {
    const { call, database, member } = createFakeStage(createWorkspaceStage);
    for (const body of [FOR_BOT, { name: 'bot', kind: 'application' }])
      expect(await call('POST', '/api/tokens', { as: member, body })).toMatchObject({
        status: 403,
        code: 'role_not_allowed',
      });
    expect(database.rows.tokens).toEqual([]);
  });

  it('answers 403 to an application, whatever it wants', async () => {
    const { application, call, database } = createFakeStage(createWorkspaceStage);
    for (const body of [FOR_USER, FOR_BOT])
      expect(await call('POST', '/api/tokens', { as: application, body })).toMatchObject({
        status: 403,
        code: 'token_kind_not_allowed',
      });
    expect(database.rows.tokens).toEqual([]);
  });
});
