import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { openTrust, putPolicy } from '../../fixtures/trust.ts';

describe('PUT /api/trust/policy', () => {
  it('answers 412 to a change of a policy that is no longer in force, and keeps nothing', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { public_log: true });
    const body = { ...DEFAULT_TRUST_POLICY };
    const headers = { 'if-match': '"t0"' };
    const reply = await stage.call('PUT', '/api/trust/policy', { as: stage.manager, body, headers });
    expect(reply).toMatchObject({ status: 412, code: 'precondition_failed' });
    expect(await stage.trust.policy(stage.workspace.id)).toMatchObject({ version: 1, values: { public_log: true } });
  });
});
