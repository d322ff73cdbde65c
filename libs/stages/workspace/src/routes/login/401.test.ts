import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember, addWithPassword, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/login', () => {
  it('answers the same to every login that fails, after exactly one verification each', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await addWithPassword(stage, 'anna');
    const disabled = await addWithPassword(stage, 'disabled');
    await stage.call('PATCH', `/api/members/${disabled.id}`, { as: stage.manager, body: { disabled: true } });
    const removed = await addWithPassword(stage, 'removed');
    await stage.call('DELETE', `/api/members/${removed.id}`, { as: stage.manager });
    await addMember(stage, 'invited');
    const forged = await addWithPassword(stage, 'forged');
    stage.database.rows.member_credentials = stage.database.rows.member_credentials.map((row) =>
      row.member_id === forged.id ? { ...row, password_hash: 'fake:a password put into the database' } : row,
    );
    const before = stage.database.rows.ledger_leaves.length;
    const attempts = [
      { username: 'nobody', password: PASSWORD },
      { username: 'anna', password: 'not the password' },
      { username: 'anna', password: '' },
      { username: 'max', password: PASSWORD },
      { username: 'invited', password: PASSWORD },
      { username: 'disabled', password: PASSWORD },
      { username: 'removed', password: PASSWORD },
      { username: 'forged', password: 'a password put into the database' },
      { username: 'anna', password: PASSWORD, workspace: 'another' },
    ];
    const replies = [];
    for (const [n, body] of attempts.entries()) {
      const verified = stage.passwords.verified.length;
      replies.push(await stage.call('POST', '/api/auth/login', { body }));
      expect([n, stage.passwords.verified.length]).toEqual([n, verified + 1]);
    }
    const headers = { 'WWW-Authenticate': 'Bearer realm="answer-evidence"' };
    const detail = 'The name, the password or the workspace is wrong; check all three.';
    expect(replies).toEqual(replies.map(() => ({ status: 401, headers, code: 'login_failed', detail, errors: [] })));
    expect(stage.database.rows.ledger_leaves).toHaveLength(before);
  });

  it('issues nothing when the password ended between its verification and the token', async () => {
    const stage = createFakeStage((deps) =>
      createWorkspaceStage({
        ...deps,
        passwords: {
          ...deps.passwords,
          async verify(...asked) {
            const isRight = await deps.passwords.verify(...asked);
            const { id } = deps.database.rows.members.find(({ username }) => username === 'anna') ?? { id: '' };
            const path = `/api/members/${id}`;
            await stage.call('PATCH', path, { as: deps.manager, body: { password_reset: true } });
            return isRight;
          },
        },
      }),
    );
    await addWithPassword(stage, 'anna');
    const reply = await stage.call('POST', '/api/auth/login', { body: { username: 'anna', password: PASSWORD } });
    expect(reply).toMatchObject({ status: 401, code: 'login_failed' });
    expect(stage.database.rows.tokens).toEqual([]);
  });
});
