import { describe, expect, it } from '@jest/globals';
import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const BOT = { name: 'bot', kind: 'application', application_key: 'support-bot', scopes: ['answer_audit:read'] };

describe('POST /api/tokens/{token_id}/rotate', () => {
  it('answers 409 to one of two rotations at once, and issues one token', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const { id } = issuedToken.parse((await call('POST', '/api/tokens', { as: manager, body: BOT })).body);
    const replies = await Promise.all([1, 2].map(() => call('POST', `/api/tokens/${id}/rotate`, { as: manager })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(replies.find(({ status }) => status === 409)).toMatchObject({ code: 'token_not_active' });
    expect(database.rows.tokens).toHaveLength(2);
  });

  it('answers 409 for a revoked token, also while it is still good after its rotation', async () => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const { id } = issuedToken.parse((await call('POST', '/api/tokens', { as: manager, body: BOT })).body);
    const rotate = { as: manager, body: { overlap_seconds: 3600 } };
    const next = issuedToken.parse((await call('POST', `/api/tokens/${id}/rotate`, rotate)).body);
    expect(await call('POST', `/api/tokens/${id}/rotate`, rotate)).toMatchObject({ status: 409 });
    await call('DELETE', `/api/tokens/${next.id}`, { as: manager });
    const before = database.rows.ledger_leaves.length;
    expect(await call('POST', `/api/tokens/${next.id}/rotate`, rotate)).toMatchObject({ status: 409 });
    expect(database.rows.ledger_leaves).toHaveLength(before);
  });
});
