import { expect, it } from '@jest/globals';
import { openStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

it.each([
  ['?type', { type: 'unknown' }],
  ['?created_after', { created_after: 'yesterday' }],
  ['?created_after', { created_after: '2500-01-01T00:00:00Z' }],
  ['?created_before', { created_before: '0099-01-01T00:00:00Z' }],
  ['?created_before', { created_before: '2026-11-28T01:00:60Z' }],
  ['?created_before', { created_after: '2027-01-02T00:00:00Z', created_before: '2027-01-01T00:00:00Z' }],
])('GET /api/tenant/entries answers 422 at %s to %j', async (pointer, query) => {
  const { call, manager } = await openStage(createWorkspaceStage);
  expect(await call('GET', '/api/tenant/entries', { as: manager, query })).toMatchObject({
    status: 422,
    code: 'schema_violation',
    errors: [{ pointer }],
  });
});
