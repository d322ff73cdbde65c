import { EVENT_TYPES } from '@answer-evidence/contracts';
import { describe, expect, it } from '@jest/globals';
import { createFakeIngest, createRecord, RECORDS } from '../../fixtures/ingest.ts';

describe('POST /api/answer-audit-logs/{answer_log_id}/events', () => {
  it.each(EVENT_TYPES)('answers 403 to %s from a member or an application, its own record or not', async (type) => {
    const stage = createFakeIngest();
    const { id } = await createRecord(stage, {}, stage.application);
    const call = (as: typeof stage.member | typeof stage.application) =>
      stage.call('POST', `${RECORDS}/${id}/events`, { as, body: { event_type: type } });
    expect(await call(stage.member)).toMatchObject({ status: 403, code: 'role_not_allowed' });
    expect(await call(stage.application)).toMatchObject({ status: 403, code: 'token_kind_not_allowed' });
    expect(stage.database.events).toEqual([]);
  });
});
