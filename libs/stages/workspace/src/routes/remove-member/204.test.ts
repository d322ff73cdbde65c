import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addWithPassword, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('DELETE /api/members/{member_id}', () => {
  it('ends the member, their password and all their tokens, in one commit', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id, username } = await addWithPassword(stage, 'anna');
    const login = () => stage.call('POST', '/api/auth/login', { body: { username, password: PASSWORD } });
    await login();
    await login();
    const commits = stage.database.rows.ledger_commits.length;
    expect(await stage.call('DELETE', `/api/members/${id}`, { as: stage.manager })).toEqual({ status: 204 });
    expect(stage.database.rows.ledger_commits).toHaveLength(commits + 1);
    expect(stage.database.rows.ledger_leaves.slice(-3).map(({ type }) => type)).toEqual([
      'member_changed',
      'token_revoked',
      'token_revoked',
    ]);
    const revoked = stage.database.rows.tokens.filter((token) => token.user_id === id).map((token) => token.revoked_at);
    expect(revoked.toSorted()).toEqual(stage.database.rows.ledger_leaves.slice(-2).map(({ at }) => at));
    expect(stage.database.rows.member_credentials).toEqual([]);
    expect((await login()).status).toBe(401);
  });

  it('changes nothing the second time', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { id } = await addWithPassword(stage, 'anna');
    await stage.call('DELETE', `/api/members/${id}`, { as: stage.manager });
    const before = stage.database.rows.ledger_leaves.length;
    expect(await stage.call('DELETE', `/api/members/${id}`, { as: stage.manager })).toEqual({ status: 204 });
    expect(stage.database.rows.ledger_leaves).toHaveLength(before);
  });
});
