import { describe, expect, it } from '@jest/globals';
import { loginReply } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { addWithPassword, callerOf, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/logout', () => {
  it('revokes the token of the request and no other', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const anna = await addWithPassword(stage, 'anna');
    const body = { username: 'anna', password: PASSWORD };
    const [first, second] = [
      loginReply.parse((await stage.call('POST', '/api/auth/login', { body })).body),
      loginReply.parse((await stage.call('POST', '/api/auth/login', { body })).body),
    ];
    const as = { ...callerOf(stage, anna), tokenId: first.id };
    expect(await stage.call('POST', '/api/auth/logout', { as })).toEqual({ status: 204 });
    const revoked = new Map(stage.database.rows.tokens.map((token) => [token.id, token.revoked_at !== null]));
    expect([revoked.get(first.id), revoked.get(second.id)]).toEqual([true, false]);
    expect(stage.database.rows.ledger_leaves.at(-1)?.type).toBe('token_revoked');
  });
});
