import { describe, expect, it } from '@jest/globals';
import { createRecord, openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs', () => {
  it.each([
    [{ unknown: 'x' }],
    [{ page: '0' }],
    [{ page: '1.5' }],
    [{ size: '0' }],
    [{ size: '201' }],
    [{ status: 'deleted' }],
    [{ created_after: 'yesterday' }],
    [{ created_before: '2027-01-01' }],
    [{ created_after: '2500-01-01T00:00:00Z' }],
    [{ created_after: '2026-11-28T01:00:60Z' }],
    [{ created_after: '2027-01-02T00:00:00Z', created_before: '2027-01-01T00:00:00Z' }],
    [{ page: '2', cursor: 'x' }],
  ])('answers 422 to %j', async (query) => {
    const { call, manager } = await openIngest();
    expect(await call('GET', RECORDS, { as: manager, query })).toMatchObject({
      status: 422,
      code: 'schema_violation',
    });
  });

  it('answers 422 beyond 10,000 records, and says to go on with the cursor', async () => {
    const { call, manager } = await openIngest();
    const beyond: readonly Record<string, string>[] = [{ page: '51', size: '200' }, { page: '201' }];
    for (const query of beyond)
      expect(await call('GET', RECORDS, { as: manager, query })).toMatchObject({
        status: 422,
        code: 'page_out_of_reach',
        errors: [{ pointer: '?page', detail: expect.stringContaining('cursor') }],
      });
    expect(await call('GET', RECORDS, { as: manager, query: { page: '50', size: '200' } })).toMatchObject({
      status: 200,
    });
  });

  it('answers 422 to a cursor of another list, of another caller’s reach, or of nowhere', async () => {
    const stage = await openIngest();
    for (let n = 0; n < 3; n++) await createRecord(stage);
    const list = (as: typeof stage.manager | typeof stage.application, query: Record<string, string>) =>
      stage.call('GET', RECORDS, { as, query });
    const first = await list(stage.manager, { size: '1', mode: 'fast' });
    expect(first).toMatchObject({ status: 200, body: { next_cursor: null } });
    const { next_cursor: cursor } = (await list(stage.manager, { size: '1' })).body as { next_cursor: string };
    for (const [as, query] of [
      [stage.manager, { cursor, mode: 'fast' }],
      [stage.manager, { cursor, application_key: 'support-bot' }],
      [stage.application, { cursor }],
      [stage.manager, { cursor: cursor.slice(1) }],
      [stage.manager, { cursor: '' }],
    ] as const)
      expect(await list(as, query)).toMatchObject({
        status: 422,
        code: 'cursor_not_valid',
        errors: [{ pointer: '?cursor' }],
      });
    expect(await list(stage.manager, { cursor, size: '2' })).toMatchObject({ status: 200 });
  });
});
