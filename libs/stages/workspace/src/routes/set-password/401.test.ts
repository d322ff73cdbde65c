import { describe, expect, it } from '@jest/globals';
import { formatPasswordSecret, parsePasswordSecret } from '@answer-evidence/access';
import { PASSWORD_LINK_LIFE_SECONDS } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/password', () => {
  it('works once, also when two use the link at the same moment', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const { password_link: link } = await addMember(stage, 'anna');
    const use = (n: number) =>
      stage.call('POST', '/api/auth/password', { body: { secret: link?.secret, password: `${PASSWORD} ${n}` } });
    const statuses = (await Promise.all([use(1), use(2), use(3)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401, 401]);
    expect(await use(4)).toMatchObject({ status: 401, code: 'link_not_valid' });
    const won = statuses.indexOf(200) + 1;
    const login = { username: 'anna', password: `${PASSWORD} ${won}` };
    expect((await stage.call('POST', '/api/auth/login', { body: login })).status).toBe(200);
  });

  it('answers 401 to secrets that are none, are of another member or workspace, or were replaced', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const there = createFakeStage(createWorkspaceStage);
    const anna = await addMember(stage, 'anna');
    const zoe = await addMember(stage, 'zoe');
    const real = parsePasswordSecret(anna.password_link?.secret ?? '');
    await stage.call('PATCH', `/api/members/${zoe.id}`, { as: stage.manager, body: { password_reset: true } });
    const secrets = [
      'x',
      anna.password_link?.secret.slice(0, -1),
      formatPasswordSecret({ ...real, memberId: zoe.id }),
      formatPasswordSecret({ ...real, workspaceId: there.workspace.id }),
      formatPasswordSecret({ ...real, secret: new Uint8Array(32) }),
      zoe.password_link?.secret,
      (await addMember(there, 'anna')).password_link?.secret,
    ];
    for (const secret of secrets) {
      const reply = await stage.call('POST', '/api/auth/password', { body: { secret, password: PASSWORD } });
      expect(reply).toMatchObject({ status: 401, code: 'link_not_valid', errors: [] });
    }
    expect(stage.database.rows.member_credentials.every((row) => row.password_hash === null)).toBe(true);
  });

  it('answers 401 after 72 hours, to the disabled, and on the host of another workspace', async () => {
    let later = 0;
    let here = 'acme';
    const stage = createFakeStage((deps) =>
      createWorkspaceStage({
        ...deps,
        clock: { nowMicros: () => deps.clock.nowMicros() + later },
        workspaceOfHost: () => Promise.resolve({ slug: here, displayName: here }),
      }),
    );
    const { id, password_link: link } = await addMember(stage, 'anna');
    const use = () => stage.call('POST', '/api/auth/password', { body: { secret: link?.secret, password: PASSWORD } });
    later = PASSWORD_LINK_LIFE_SECONDS * 1_000_000;
    expect((await use()).status).toBe(401);
    later = 0;
    here = 'another';
    expect((await use()).status).toBe(401);
    here = 'acme';
    const patch = (disabled: boolean) =>
      stage.call('PATCH', `/api/members/${id}`, { as: stage.manager, body: { disabled } });
    await patch(true);
    expect((await use()).status).toBe(401);
    await patch(false);
    expect((await use()).status).toBe(200);
  });
});
