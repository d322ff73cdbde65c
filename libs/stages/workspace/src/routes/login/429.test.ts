import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/login', () => {
  it('answers 429 without verifying anything when there were too many tries', async () => {
    const refuse = () => {
      throw new ServiceError('rate_limited', 'too many', { retryAfterSeconds: 360 });
    };
    const stage = createFakeStage((deps) => createWorkspaceStage({ ...deps, loginThrottle: { begin: refuse } }));
    const reply = await stage.call('POST', '/api/auth/login', { body: { username: 'mia', password: PASSWORD } });
    expect(reply).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(stage.passwords.verified).toEqual([]);
  });
});
