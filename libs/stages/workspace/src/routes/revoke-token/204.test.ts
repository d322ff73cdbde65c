import { describe, expect, it } from '@jest/globals';
import type { UserCaller } from '@answer-evidence/access';
import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage, type FakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

async function issue({ call }: FakeStage, as: UserCaller): Promise<string> {
  const reply = await call('POST', '/api/tokens', { as, body: { name: `of ${as.username}`, kind: 'user' } });
  return issuedToken.parse(reply.body).id;
}

describe('DELETE /api/tokens/{token_id}', () => {
  it('revokes the own token of a member, and appends who did it', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const id = await issue(stage, stage.member);
    expect(await stage.call('DELETE', `/api/tokens/${id}`, { as: stage.member })).toEqual({ status: 204 });
    const leaf = stage.database.rows.ledger_leaves.at(-1);
    expect(leaf?.type).toBe('token_revoked');
    expect(stage.database.rows.tokens).toMatchObject([{ id, revoked_at: leaf?.at }]);
    expect(stage.database.rows.workspace_entries.at(-1)?.core_json).toContain(stage.member.userId);
  });

  it("revokes another's token for a manager", async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const id = await issue(stage, stage.member);
    expect(await stage.call('DELETE', `/api/tokens/${id}`, { as: stage.manager })).toEqual({ status: 204 });
    expect(stage.database.rows.tokens[0]?.revoked_at).not.toBeNull();
  });

  it('changes nothing the second time: the first revocation stands', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const id = await issue(stage, stage.member);
    await stage.call('DELETE', `/api/tokens/${id}`, { as: stage.member });
    const after = { tokens: stage.database.rows.tokens, size: stage.database.rows.ledger_leaves.length };
    expect(await stage.call('DELETE', `/api/tokens/${id}`, { as: stage.manager })).toEqual({ status: 204 });
    expect(stage.database.rows.tokens).toEqual(after.tokens);
    expect(stage.database.rows.ledger_leaves).toHaveLength(after.size);
  });
});
