import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { describe, expect, it } from '@jest/globals';
import { createWorkspaceStage } from '../../stage.ts';

const body = { name: 'laptop', kind: 'user' };

describe('POST /api/tokens', () => {
  it('answers 409 to the name of a live token, whosever it is, and issues nothing', async () => {
    const { call, database, manager, member } = createFakeStage(createWorkspaceStage);
    await call('POST', '/api/tokens', { as: manager, body });
    expect(await call('POST', '/api/tokens', { as: member, body })).toMatchObject({
      status: 409,
      code: 'name_taken',
      errors: [{ pointer: '/name' }],
    });
    expect(database.tokens).toHaveLength(1);
  });

  it('gives a name out again when its token was revoked', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const first = issuedToken.parse((await call('POST', '/api/tokens', { as: manager, body })).body);
    await call('DELETE', `/api/tokens/${first.id}`, { as: manager });
    expect(await call('POST', '/api/tokens', { as: manager, body })).toMatchObject({ status: 201 });
  });
});
