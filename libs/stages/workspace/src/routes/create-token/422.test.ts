import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

async function refuse(body: object) {
  const { call, database, manager } = createFakeStage(createWorkspaceStage);
  const reply = await call('POST', '/api/tokens', { as: manager, body });
  expect(reply).toMatchObject({ status: 422, code: 'schema_violation' });
  expect(database.rows.tokens).toEqual([]);
  return reply.errors?.map(({ pointer }) => pointer);
}

describe('POST /api/tokens', () => {
  it('wants an application token bound to an application and to scopes', async () => {
    const bot = { name: 'bot', kind: 'application' };
    expect(await refuse(bot)).toEqual(['/application_key', '/scopes']);
    expect(await refuse({ ...bot, application_key: 'bot' })).toEqual(['/scopes']);
    expect(await refuse({ ...bot, scopes: ['answer_audit:read'] })).toEqual(['/application_key']);
    expect(await refuse({ ...bot, application_key: 'bot', scopes: [] })).toEqual(['/scopes']);
    expect(await refuse({ ...bot, application_key: 'bot', scopes: ['answer_audit:all'] })).toEqual(['/scopes/0']);
  });

  it('binds a user token to nothing', async () => {
    const mine = { name: 'mine', kind: 'user' };
    expect(await refuse({ ...mine, application_key: 'bot' })).toEqual(['/application_key']);
    expect(await refuse({ ...mine, scopes: ['answer_audit:read'] })).toEqual(['/scopes']);
  });

  it.each([59, 90 * 86_400 + 1, 60.5, -1])('refuses a life of %p seconds', async (seconds) => {
    expect(await refuse({ name: 'mine', kind: 'user', expires_in_seconds: seconds })).toEqual(['/expires_in_seconds']);
  });

  it('refuses a token without a name', async () => {
    expect(await refuse({ name: '', kind: 'user' })).toContain('/name');
    expect(await refuse({ kind: 'user' })).toEqual(['/name']);
  });
});
