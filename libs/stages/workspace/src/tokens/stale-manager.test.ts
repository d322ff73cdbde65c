import { describe, expect, it } from '@jest/globals';
import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { addWithPassword, callerOf } from '../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../stage.ts';

const BOT = { name: 'bot', kind: 'application', application_key: 'bot', scopes: ['answer_audit:read'] };

/** What a process believes for some seconds after another one has ended it: that the caller is a manager. */
describe('who was a manager a moment ago', () => {
  it.each([
    ['made a member', { role: 'member' }, { status: 403, code: 'role_not_allowed' }],
    ['disabled', { disabled: true }, { status: 401, code: 'unauthenticated' }],
    ['removed', undefined, { status: 401, code: 'unauthenticated' }],
  ] as const)(
    'issues and exchanges no token of an application once %s, since it would outlive them',
    async (...row) => {
      const [, change, refused] = row;
      const stage = createFakeStage(createWorkspaceStage);
      // Somebody must be left.
      await addWithPassword(stage, 'ida', 'manager');
      const made = await addWithPassword(stage, 'mo', 'manager');
      const stale = callerOf(stage, made);
      const issued = issuedToken.parse((await stage.call('POST', '/api/tokens', { as: stale, body: BOT })).body);
      const ended = await stage.call(change === undefined ? 'DELETE' : 'PATCH', `/api/members/${made.id}`, {
        as: stage.manager,
        ...(change === undefined ? {} : { body: change }),
      });
      expect(ended.status).toBe(change === undefined ? 204 : 200);
      const before = stage.database.rows.ledger_leaves.length;
      expect(await stage.call('POST', '/api/tokens', { as: stale, body: { ...BOT, name: 'more' } })).toMatchObject(
        refused,
      );
      expect(await stage.call('POST', `/api/tokens/${issued.id}/rotate`, { as: stale })).toMatchObject(refused);
      expect(stage.database.rows.ledger_leaves).toHaveLength(before);
    },
  );
});
