import { describe, expect, it } from '@jest/globals';
import { issuedToken } from '@answer-evidence/contracts';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';
import { issueUserToken } from '../../tokens/issue-token.ts';

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
    expect(database.rows.tokens).toHaveLength(1);
  });

  it('answers 409 to one more live token than there may be, also at a login, until one is revoked', async () => {
    const { call, database, manager } = createFakeStage((deps) => createWorkspaceStage({ ...deps, tokensMax: 2 }));
    const issue = (name: string) => call('POST', '/api/tokens', { as: manager, body: { name, kind: 'user' } });
    const first = issuedToken.parse((await issue('one')).body);
    await issue('two');
    expect(await issue('three')).toMatchObject({ status: 409, code: 'limit_reached' });
    expect(database.rows.tokens).toHaveLength(2);
    await call('DELETE', `/api/tokens/${first.id}`, { as: manager });
    expect((await issue('three')).status).toBe(201);
  });

  it('gives a name out again when its token was revoked', async () => {
    const { call, manager } = createFakeStage(createWorkspaceStage);
    const first = issuedToken.parse((await call('POST', '/api/tokens', { as: manager, body })).body);
    await call('DELETE', `/api/tokens/${first.id}`, { as: manager });
    expect(await call('POST', '/api/tokens', { as: manager, body })).toMatchObject({ status: 201 });
  });

  it('answers 409 to one more live token than there may be, also at a login, until one is revoked', async () => {
    const { call, database, manager } = createFakeStage((deps) => createWorkspaceStage({ ...deps, tokensMax: 2 }));
    const issue = (name: string) => call('POST', '/api/tokens', { as: manager, body: { name, kind: 'user' } });
    const first = issuedToken.parse((await issue('one')).body);
    await issue('two');
    expect(await issue('three')).toMatchObject({ status: 409, code: 'limit_reached' });
    expect(database.rows.tokens).toHaveLength(2);
    await call('DELETE', `/api/tokens/${first.id}`, { as: manager });
    expect((await issue('three')).status).toBe(201);
  });

  it('gives a name out again when its token has expired, though nobody revoked it', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const dayAgo = { nowMicros: () => stage.clock.nowMicros() - MICROS_PER_DAY };
    const user = { id: stage.manager.userId };
    const actor = { kind: 'service', id: 'test', token_id: null } as const;
    await issueUserToken({ ...stage, clock: dayAgo }, stage.workspace.id, user, body.name, 60, actor);
    expect(await stage.call('POST', '/api/tokens', { as: stage.manager, body })).toMatchObject({ status: 201 });
    expect(stage.database.rows.tokens.map(({ revoked_at: at }) => at)).toEqual([null, null]);
    expect(await stage.call('POST', '/api/tokens', { as: stage.manager, body })).toMatchObject({ status: 409 });
  });
});
