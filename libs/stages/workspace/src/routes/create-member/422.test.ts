import { describe, expect, it } from '@jest/globals';
import { createFakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('POST /api/members', () => {
  it.each([
    {},
    { username: '' },
    { username: 'Anna' },
    { username: ' anna' },
    { username: '-anna' },
    { username: 'a'.repeat(101) },
    { username: 'anna', role: 'owner' },
    { username: 'anna', password: 'a password in the request' },
  ])('answers 422 to %j, and adds nobody', async (body) => {
    const { call, database, manager } = createFakeStage(createWorkspaceStage);
    const before = database.rows.members;
    expect(await call('POST', '/api/members', { as: manager, body })).toMatchObject({ status: 422 });
    expect(database.rows.members).toEqual(before);
  });
});
