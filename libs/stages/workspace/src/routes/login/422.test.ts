import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { PASSWORD } from '../../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/auth/login', () => {
  it.each([
    {},
    { username: 'anna' },
    { username: '', password: PASSWORD },
    { username: 'anna', password: 'x'.repeat(1_025) },
    { username: 'anna', password: PASSWORD, workspace: 'No Slug' },
    { username: 'anna', password: PASSWORD, expires_in_seconds: 59 },
    { username: 'anna', password: PASSWORD, unknown: true },
  ])('answers 422 without looking anybody up: case %#', async (body) => {
    const stage = createFakeStage(createWorkspaceStage);
    expect(await stage.call('POST', '/api/auth/login', { body })).toMatchObject({ status: 422 });
    expect([stage.passwords.verified, stage.loginThrottle.told]).toEqual([[], []]);
  });

  it('asks for the workspace where nothing says which one', async () => {
    const stage = createFakeStage((deps) =>
      createWorkspaceStage({
        ...deps,
        directory: { ...deps.directory, list: () => Promise.resolve([deps.workspace, deps.workspace]) },
      }),
    );
    const reply = await stage.call('POST', '/api/auth/login', { body: { username: 'mia', password: PASSWORD } });
    expect(reply).toMatchObject({ status: 422, errors: [{ pointer: '/workspace' }] });
  });

  it('takes the workspace of the host, and no other', async () => {
    const stage = createFakeStage((deps) =>
      createWorkspaceStage({
        ...deps,
        workspaceOfHost: (host) => Promise.resolve(host === 'acme.example' ? deps.workspace : undefined),
      }),
    );
    const login = (workspace?: string) =>
      stage.call('POST', '/api/auth/login', {
        body: { username: 'mia', password: PASSWORD, ...(workspace === undefined ? {} : { workspace }) },
        headers: { host: 'acme.example' },
      });
    await login();
    await login('acme');
    await login('another');
    const accounts = stage.loginThrottle.told.map((line) => line.split(' ')[0]);
    expect(accounts).toEqual([stage.workspace.id, stage.workspace.id, 'another']);
  });
});
