import { describe, expect, it } from '@jest/globals';
import { createRefusingTest, RUNS } from '../../fixtures/reconcile.ts';

describe('GET /api/reconciliations/runs', () => {
  it.each([
    [{ page: '2', cursor: 'AAAA' }, 'schema_violation'],
    [{ size: '201' }, 'schema_violation'],
    [{ status: 'queued' }, 'schema_violation'],
    [{ page: '201', size: '50' }, 'page_out_of_reach'],
    [{ cursor: 'AAAA' }, 'cursor_not_valid'],
  ] as [Record<string, string>, string][])('answers 422 to %j: %s', async (query, code) => {
    const { call, manager } = createRefusingTest();
    expect(await call('GET', RUNS, { as: manager, query })).toMatchObject({ status: 422, code });
  });
});
