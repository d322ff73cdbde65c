import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { completeRun, openReconcileTest, type ReconcileTest, requestOf, RUNS } from '../../fixtures/reconcile.ts';

let test: ReconcileTest;
let path: string;

beforeAll(async () => {
  test = await openReconcileTest();
  path = `${RUNS}/${(await completeRun(test, requestOf(test, ['one']))).id}/findings`;
});

afterAll(() => test.close());

describe('GET /api/reconciliations/runs/{run_id}/findings', () => {
  it.each([
    [{ type: 'missing' }, 'schema_violation'],
    [{ format: 'xlsx' }, 'schema_violation'],
    [{ format: 'jsonl', bom: 'true' }, 'schema_violation'],
    [{ cell_length_max: '1000' }, 'schema_violation'],
    [{ format: 'csv', page: '1' }, 'schema_violation'],
    [{ page: '2', cursor: 'AAAA' }, 'schema_violation'],
    [{ page: '201', size: '50' }, 'page_out_of_reach'],
    [{ cursor: 'AAAA' }, 'cursor_not_valid'],
  ] as [Record<string, string>, string][])('answers 422 to %j: %s', async (query, code) => {
    expect(await test.call('GET', path, { as: test.manager, query })).toMatchObject({ status: 422, code });
  });
});
