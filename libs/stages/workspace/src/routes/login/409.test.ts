import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addWithPassword, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/login', () => {
  it('answers 409 to a token name in use, and only to whom the password is known', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    await addWithPassword(stage, 'anna');
    const login = (password: string) =>
      stage.call('POST', '/api/auth/login', { body: { username: 'anna', password, token_name: 'laptop' } });
    expect((await login(PASSWORD)).status).toBe(200);
    expect(await login(PASSWORD)).toMatchObject({ status: 409, code: 'name_taken' });
    expect(await login('not the password')).toMatchObject({ status: 401 });
  });
});
