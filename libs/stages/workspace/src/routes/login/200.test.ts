import { describe, expect, it } from '@jest/globals';
import { parseUserToken } from '@answer-evidence/access';
import { loginReply } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import { createFakeStage } from '@answer-evidence/testing';
import { addWithPassword, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/login', () => {
  it('issues a token for twelve hours with a name of its own, and says whose it is', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addWithPassword(stage, 'anna', 'manager');
    const login = async () => {
      const reply = await stage.call('POST', '/api/auth/login', { body: { username: 'anna', password: PASSWORD } });
      expect(reply.status).toBe(200);
      return loginReply.parse(reply.body);
    };
    const [first, second] = [await login(), await login()];
    expect(parseUserToken(first.token).tokenId).toBe(first.id);
    expect(first).toMatchObject({ kind: 'user', user_id: id, revoked_at: null, base_url: null });
    expect(first.name).toMatch(/^login-anna-[0-9a-f]{8}$/);
    expect(second.name).not.toBe(first.name);
    const hours = (parseTimestamp(first.expires_at) - parseTimestamp(first.created_at)) / 3_600_000_000;
    expect(Math.round(hours)).toBe(12);
    expect(first.profile).toEqual({
      username: 'anna',
      tenant_slug: 'acme',
      tenant_display_name: 'Acme',
      role: 'manager',
      access: { role: 'manager', applications: null, environments: null },
    });
    expect(stage.database.rows.ledger_leaves.at(-1)?.type).toBe('token_issued');
  });

  it('takes a name, a life and a workspace, and tells the public address where there is one', async () => {
    const stage = createFakeStage((deps) =>
      createWorkspaceStage({ ...deps, publicUrl: (slug) => `https://${slug}.example` }),
    );
    await addWithPassword(stage, 'anna');
    const terms = { token_name: 'laptop', expires_in_seconds: 60, workspace: 'acme' };
    const body = { username: 'anna', password: PASSWORD, ...terms };
    const reply = loginReply.parse((await stage.call('POST', '/api/auth/login', { body })).body);
    expect(reply).toMatchObject({ name: 'laptop', base_url: 'https://acme.example' });
  });

  it('knows a password however its letters were composed', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const reset = await stage.call('PATCH', `/api/members/${stage.member.userId}`, {
      as: stage.manager,
      body: { password_reset: true },
    });
    const { secret } = (reset.body as { password_link: { secret: string } }).password_link;
    await stage.call('POST', '/api/auth/password', { body: { secret, password: 'un caf\u00e9 noir, merci' } });
    const body = { username: 'max', password: 'un cafe\u0301 noir, merci' };
    expect((await stage.call('POST', '/api/auth/login', { body })).status).toBe(200);
  });

  it('counts each try before it is verified, and takes back a right one', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await addWithPassword(stage, 'anna');
    for (const password of ['wrong password', PASSWORD])
      await stage.call('POST', '/api/auth/login', { body: { username: 'anna', password }, from: '198.51.100.7' });
    const said = `${stage.workspace.id} anna from 198.51.100.7`;
    expect(stage.loginThrottle.told).toEqual([said, said, `${said}: right`]);
  });
});
