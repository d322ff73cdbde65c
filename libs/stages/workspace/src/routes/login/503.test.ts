import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createFakeStage } from '@answer-evidence/testing';
import { PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/login', () => {
  it('answers 503 when the password cannot be verified now, and does not count the try as a wrong one', async () => {
    const overloaded = () =>
      Promise.reject(
        new ServiceError('overloaded', 'too many logins at once; retry the same request', { remedy: 'retry' }),
      );
    const stage = createFakeStage((deps) =>
      createWorkspaceStage({ ...deps, passwords: { ...deps.passwords, verify: overloaded } }),
    );
    const reply = await stage.call('POST', '/api/auth/login', { body: { username: 'mia', password: PASSWORD } });
    expect(reply).toMatchObject({ status: 503, code: 'overloaded' });
    expect(stage.loginThrottle.told.at(-1)).toMatch(/: not verified$/);
  });
});
