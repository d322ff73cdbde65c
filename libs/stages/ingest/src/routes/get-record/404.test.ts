import { describe, expect, it } from '@jest/globals';
import { createRecord, openIngest, RECORDS } from '../../fixtures/ingest.ts';

describe('GET /api/answer-audit-logs/{answer_log_id}', () => {
  it('answers 404 to an id that names no record, or is none, and reads one in upper case', async () => {
    const stage = await openIngest();
    const { id } = await createRecord(stage);
    expect(await stage.call('GET', `${RECORDS}/${id.toUpperCase()}`, { as: stage.manager })).toMatchObject({
      status: 200,
      body: { id },
    });
    for (const path of [stage.workspace.logId, 'x'])
      expect(await stage.call('GET', `${RECORDS}/${path}`, { as: stage.manager })).toMatchObject({
        status: 404,
        code: 'not_found',
      });
  });

  it('answers 404 to another workspace’s manager', async () => {
    const [stage, other] = [await openIngest(), await openIngest()];
    const { id } = await createRecord(other);
    expect(await stage.call('GET', `${RECORDS}/${id}`, { as: stage.manager })).toMatchObject({ status: 404 });
  });
});
