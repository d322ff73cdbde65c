import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const FOR_BOT = { name: 'bot', kind: 'application', application_key: 'bot', scopes: ['answer_audit:read'] };

describe('POST /api/tokens', () => {
  it.each([{ name: 'mine', kind: 'user' }, FOR_BOT])(
    'hands out no token when the ledger did not take %j',
    async (body) => {
      const { call, database, ledger, manager } = createFakeStage(createWorkspaceStage);
      ledger.failNext({ error: new ServiceError('ledger_unavailable', 'not writable at the moment'), kept: false });
      const reply = await call('POST', '/api/tokens', { as: manager, body });
      expect(reply).toMatchObject({ status: 503, code: 'ledger_unavailable' });
      expect(reply.body).toBeUndefined();
      expect(database.rows.tokens).toEqual([]);
    },
  );

  it('records nothing when an application token cannot be signed', async () => {
    const stage = createFakeStage((deps) =>
      createWorkspaceStage({
        ...deps,
        applicationTokens: { ...deps.applicationTokens, sign: () => Promise.reject(new Error('no key')) },
      }),
    );
    const before = stage.database.rows.ledger_leaves.length;
    await expect(stage.call('POST', '/api/tokens', { as: stage.manager, body: FOR_BOT })).rejects.toThrow('no key');
    expect(stage.database.rows.ledger_leaves).toHaveLength(before);
  });
});
