import { describe, expect, it } from '@jest/globals';
import { createRecord, openTrust, RECORDS } from '../../fixtures/trust.ts';

describe('GET /api/answer-audit-logs/{answer_log_id}/ledger/verify', () => {
  it('answers 403 to an application without the scope to read, and to another record’s application', async () => {
    const stage = await openTrust();
    const [own, other] = [await createRecord(stage), await createRecord(stage, { application_key: 'other-bot' })];
    const unscoped = { ...stage.application, scopes: ['answer_audit:create'] as const };
    expect(await stage.call('GET', `${RECORDS}/${own.id}/ledger/verify`, { as: unscoped })).toMatchObject({
      status: 403,
      code: 'scope_missing',
    });
    expect(await stage.call('GET', `${RECORDS}/${other.id}/ledger/verify`, { as: stage.application })).toMatchObject({
      status: 403,
      code: 'application_not_allowed',
    });
    expect(await stage.call('GET', `${RECORDS}/${own.id}/ledger/verify`, { as: stage.application })).toMatchObject({
      status: 200,
    });
  });
});
