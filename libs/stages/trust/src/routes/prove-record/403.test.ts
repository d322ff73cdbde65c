import { describe, expect, it } from '@jest/globals';
import { createRecord, openTrust } from '../../fixtures/trust.ts';

describe('GET /api/trust/proofs/answers/{answer_log_id}', () => {
  it('answers 403 to an application without the scope to read, and to another record’s application', async () => {
    const stage = await openTrust();
    const [own, other] = [await createRecord(stage), await createRecord(stage, { application_key: 'other-bot' })];
    const as = { ...stage.application, scopes: ['answer_audit:create'] as const };
    expect(await stage.call('GET', `/api/trust/proofs/answers/${own.id}`, { as })).toMatchObject({
      status: 403,
      code: 'scope_missing',
    });
    expect(await stage.call('GET', `/api/trust/proofs/answers/${other.id}`, { as: stage.application })).toMatchObject({
      status: 403,
      code: 'application_not_allowed',
    });
  });
});
