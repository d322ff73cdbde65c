import { describe, expect, it } from '@jest/globals';
import { answer, openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('POST /api/answer-audit-logs', () => {
  it('answers 403 to an application without the scope to create, and records nothing', async () => {
    const { application, call, rows } = await openIngest();
    const as = { ...application, scopes: ['answer_audit:read'] as const };
    expect(await call('POST', RECORDS, { as, body: answer() })).toMatchObject({ status: 403, code: 'scope_missing' });
    expect(await rows('answer_records')).toEqual([]);
  });

  it('answers 403 to an application that names another application key, before anything else is judged', async () => {
    const { application, call, rows } = await openIngest();
    const body = answer({ application_key: 'other-bot', source_refs: [{ source_ref_id: 'not valid' }] });
    expect(await call('POST', RECORDS, { as: application, body })).toMatchObject({
      status: 403,
      code: 'application_not_allowed',
    });
    expect(await rows('answer_records')).toEqual([]);
  });

  it('does not show another application’s record to a replay of its key', async () => {
    const { application, call, manager } = await openIngest();
    const body = answer({ application_key: 'other-bot', idempotency_key: 'k' });
    await call('POST', RECORDS, { as: manager, body });
    expect(await call('POST', RECORDS, { as: application, body })).toMatchObject({ status: 403 });
  });
});
