import { describe, expect, it } from '@jest/globals';
import { openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/export', () => {
  it.each([
    [{}],
    [{ format: 'xlsx' }],
    [{ format: 'jsonl', bom: 'true' }],
    [{ format: 'jsonl', cell_length_max: '1000' }],
    [{ format: 'csv', bom: 'yes' }],
    [{ format: 'csv', cell_length_max: '99' }],
    [{ format: 'csv', page: '2' }],
    [{ format: 'csv', status: 'voided' }],
    [{ format: 'csv', created_after: 'yesterday' }],
    [{ format: 'csv', created_before: '2500-01-01T00:00:00Z' }],
    [{ format: 'csv', created_after: '2027-01-02T00:00:00Z', created_before: '2027-01-01T00:00:00Z' }],
  ])('answers 422 to %j, and the log says of no export', async (query: Record<string, string>) => {
    const { call, rows, manager } = await openIngest();
    const before = (await rows('ledger_leaves')).length;
    expect(await call('GET', `${RECORDS}/export`, { as: manager, query })).toMatchObject({
      status: 422,
      code: 'schema_violation',
    });
    expect(await rows('ledger_leaves')).toHaveLength(before);
  });
});
