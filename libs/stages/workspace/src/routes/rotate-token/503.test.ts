import { describe, expect, it } from '@jest/globals';
import { issuedToken, ServiceError } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/tokens/{token_id}/rotate', () => {
  it('that fails before the commit answers 503 and leaves the old token as it was', async () => {
    const { call, database, ledger, manager } = createFakeStage(createWorkspaceStage);
    const body = { name: 'laptop', kind: 'user' };
    const { id } = issuedToken.parse((await call('POST', '/api/tokens', { as: manager, body })).body);
    ledger.failNext({ error: new ServiceError('ledger_unavailable', 'down', { remedy: 'retry' }), kept: false });
    expect(await call('POST', `/api/tokens/${id}/rotate`, { as: manager })).toMatchObject({ status: 503 });
    expect(database.rows.tokens).toMatchObject([{ id, revoked_at: null }]);
    expect(await call('POST', `/api/tokens/${id}/rotate`, { as: manager })).toMatchObject({ status: 201 });
  });
});
