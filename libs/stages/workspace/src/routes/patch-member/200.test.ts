import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember, addWithPassword, callerOf, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('PATCH /api/members/{member_id}', () => {
  it('changes role and disables, each with an entry, and counts the version', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addMember(stage, 'anna');
    const patch = (body: object, headers = {}) =>
      stage.call('PATCH', `/api/members/${id}`, { as: stage.manager, body, headers });
    expect(await patch({ role: 'manager', disabled: true })).toMatchObject({
      status: 200,
      headers: { ETag: '"m2"' },
      body: { role: 'manager', disabled: true, version: 2, password_link: null },
    });
    expect(stage.database.rows.workspace_entries.at(-1)?.core_json).toContain('"changes":["role_changed","disabled"]');
    const back = await patch({ disabled: false, version: 2 }, { 'if-match': '"m2"' });
    expect(back.body).toMatchObject({ disabled: false, disabled_at: null, version: 3 });
  });

  it('revokes the tokens of who is disabled, each with an entry, and enabling brings none back', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const anna = await addWithPassword(stage, 'anna');
    const body = { username: 'anna', password: PASSWORD };
    await stage.call('POST', '/api/auth/login', { body });
    await stage.call('POST', '/api/auth/login', { body });
    const patch = (disabled: boolean) =>
      stage.call('PATCH', `/api/members/${anna.id}`, { as: stage.manager, body: { disabled } });
    expect((await patch(true)).status).toBe(200);
    const entries = () => stage.database.rows.workspace_entries.filter(({ type }) => type === 'token_revoked');
    expect(entries()).toHaveLength(2);
    expect((await patch(false)).status).toBe(200);
    const tokens = stage.database.rows.tokens.filter(({ user_id: userId }) => userId === anna.id);
    expect(tokens.map(({ revoked_at: revokedAt }) => revokedAt === null)).toEqual([false, false]);
    expect(entries()).toHaveLength(2);
  });

  it('appends nothing when nothing changes', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addMember(stage, 'anna');
    const before = stage.database.rows.ledger_leaves.length;
    const reply = await stage.call('PATCH', `/api/members/${id}`, { as: stage.manager, body: { role: 'member' } });
    expect(reply).toMatchObject({ status: 200, body: { version: 1 } });
    expect(stage.database.rows.ledger_leaves).toHaveLength(before);
  });

  it('resets a password: the old one is void at once, and the new link sets another', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id, username } = await addWithPassword(stage, 'anna');
    const login = (password: string) => stage.call('POST', '/api/auth/login', { body: { username, password } });
    expect((await login(PASSWORD)).status).toBe(200);
    const body = { password_reset: true };
    const reset = await stage.call('PATCH', `/api/members/${id}`, { as: stage.manager, body });
    const { secret } = (reset.body as { password_link: { secret: string } }).password_link;
    expect((await login(PASSWORD)).status).toBe(401);
    const set = await stage.call('POST', '/api/auth/password', { body: { secret, password: `${PASSWORD}, another` } });
    expect(set.status).toBe(200);
    expect((await login(`${PASSWORD}, another`)).status).toBe(200);
    expect((await login(PASSWORD)).status).toBe(401);
  });

  it('lets a second manager who has set a password take over from the first', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const second = await addWithPassword(stage, 'anna', 'manager');
    const path = `/api/members/${stage.manager.userId}`;
    const reply = await stage.call('PATCH', path, { as: callerOf(stage, second), body: { role: 'member' } });
    expect(reply).toMatchObject({ status: 200, body: { role: 'member' } });
  });
});
