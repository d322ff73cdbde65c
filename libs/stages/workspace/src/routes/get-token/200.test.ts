import { describe, expect, it } from '@jest/globals';
import { issuedToken } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/tokens/{token_id}', () => {
  it('shows at its Location what was issued, without the token, to its member and to a manager', async () => {
    const { call, manager, member } = createFakeStage(createWorkspaceStage);
    const reply = await call('POST', '/api/tokens', { as: member, body: { name: 'laptop', kind: 'user' } });
    const { token, ...summary } = issuedToken.parse(reply.body);
    for (const as of [member, manager]) {
      const shown = await call('GET', String(reply.headers?.Location), { as });
      expect(shown).toMatchObject({ status: 200 });
      expect(shown.body).toEqual(summary);
      expect(JSON.stringify(shown)).not.toContain(token);
    }
  });
});
