import { describe, expect, it } from '@jest/globals';
import { openStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

describe('GET /api/dead-letters', () => {
  it.each([
    [{ page: '2', cursor: 'AAAA' }, 'schema_violation'],
    [{ size: '201' }, 'schema_violation'],
    [{ status: 'dead' }, 'schema_violation'],
    [{ page: '201', size: '50' }, 'page_out_of_reach'],
    [{ cursor: 'AAAA' }, 'cursor_not_valid'],
    [{ cursor: '-' }, 'cursor_not_valid'],
  ] as [Record<string, string>, string][])('answers 422 to %j: %s', async (query, code) => {
    const { call, manager } = await openStage(createWorkspaceStage);
    expect(await call('GET', '/api/dead-letters', { as: manager, query })).toMatchObject({ status: 422, code });
  });
});
