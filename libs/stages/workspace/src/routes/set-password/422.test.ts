import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { addMember, PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/password', () => {
  it.each(['too short', 'aaaaaaaaaaaaaaaa', 'password1234', 'anna-anna-anna', 'abcde'.repeat(60)])(
    'refuses %p with a pointer and without quoting it, and the link goes on working',
    async (password) => {
      const stage = createFakeStage(createWorkspaceStage);
      const { password_link: link } = await addMember(stage, 'anna');
      const reply = await stage.call('POST', '/api/auth/password', { body: { secret: link?.secret, password } });
      expect(reply).toMatchObject({ status: 422, code: 'password_not_accepted', errors: [{ pointer: '/password' }] });
      expect(JSON.stringify(reply)).not.toContain(password);
      const body = { secret: link?.secret, password: PASSWORD };
      expect((await stage.call('POST', '/api/auth/password', { body })).status).toBe(200);
    },
  );

  it('says nothing of the password to anyone who has no link', async () => {
    const stage = createFakeStage(createWorkspaceStage);
    const reply = await stage.call('POST', '/api/auth/password', { body: { secret: 'x', password: 'short' } });
    expect(reply.status).toBe(401);
  });

  it.each([{}, { secret: 'x' }, { secret: 'x', password: 'y'.repeat(1_025) }, { secret: '', password: PASSWORD }])(
    'answers 422 to a body that is not of the form: case %#',
    async (body) => {
      const stage = createFakeStage(createWorkspaceStage);
      expect(await stage.call('POST', '/api/auth/password', { body })).toMatchObject({ status: 422 });
    },
  );
});
