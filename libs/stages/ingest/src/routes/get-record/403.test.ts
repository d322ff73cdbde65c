import { describe, expect, it } from '@jest/globals';
import { createRecord, openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/{answer_log_id}', () => {
  it('answers 403 to an application without the scope to read', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    const as = { ...stage.application, scopes: ['answer_audit:create'] as const };
    expect(await stage.call('GET', `${RECORDS}/${id}`, { as })).toMatchObject({ status: 403, code: 'scope_missing' });
  });

  it('answers 403 to an application that asks for another application’s record', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage, { application_key: 'other-bot' });
    const reply = await stage.call('GET', `${RECORDS}/${id}`, { as: stage.application });
    expect(reply).toMatchObject({ status: 403, code: 'application_not_allowed' });
    expect(reply.body).toBeUndefined();
  });
});
