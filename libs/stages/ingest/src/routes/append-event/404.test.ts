import { describe, expect, it } from '@jest/globals';
import { createRecord, openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('POST /api/answer-audit-logs/{answer_log_id}/events', () => {
  it('answers 404 for what is no record of the workspace, and nothing is appended', async () => {
    const [stage, other] = [await openIngest(), await openIngest()];
    const foreign = await createRecord(other);
    for (const id of [foreign.id, stage.workspace.logId, 'x'])
      expect(
        await stage.call('POST', `${RECORDS}/${id}/events`, { as: stage.manager, body: { event_type: 'redacted' } }),
      ).toMatchObject({ status: 404, code: 'not_found' });
    expect([...(await stage.rows('lifecycle_events')), ...(await other.rows('lifecycle_events'))]).toEqual([]);
  });
});
