import { describe, expect, it } from '@jest/globals';
import { openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs', () => {
  it('answers 403 to an application without the scope to read', async () => {
    const { application, call } = await openIngest();
    const as = { ...application, scopes: ['answer_audit:create'] as const };
    expect(await call('GET', RECORDS, { as })).toMatchObject({ status: 403, code: 'scope_missing' });
  });

  it('answers 403 to an application that asks for another application’s records', async () => {
    const { application, call } = await openIngest();
    expect(await call('GET', RECORDS, { as: application, query: { application_key: 'other-bot' } })).toMatchObject({
      status: 403,
      code: 'application_not_allowed',
    });
  });
});
