import { describe, expect, it } from '@jest/globals';
import { createRecord, NO_ID, openTrust } from '../../fixtures/trust.ts';

describe('GET /api/trust/proofs/answers/{answer_log_id}', () => {
  it('answers 404 to an id that names no record of the workspace, or is none', async () => {
    const [stage, other] = [await openTrust(), await openTrust()];
    const foreign = await createRecord(other);
    for (const path of [NO_ID, stage.workspace.logId, foreign.id, 'x'])
      expect(await stage.call('GET', `/api/trust/proofs/answers/${path}`, { as: stage.manager })).toMatchObject({
        status: 404,
        code: 'not_found',
      });
  });
});
