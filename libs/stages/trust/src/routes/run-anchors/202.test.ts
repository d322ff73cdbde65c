import { describe, expect, it } from '@jest/globals';
import { NO_ID, openTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/anchors/run', () => {
  it('answers 202 when the job is kept, for the workspace of the caller', async () => {
    const requested: unknown[] = [];
    const stage = await openTrust({
      jobs: {
        request(workspaceId, jobs) {
          requested.push(workspaceId, ...jobs);
          return Promise.resolve([NO_ID]);
        },
      },
    });
    expect(await stage.call('POST', '/api/trust/anchors/run', { as: stage.manager })).toMatchObject({
      status: 202,
      body: { accepted: true, job_id: NO_ID },
    });
    expect(requested).toEqual([stage.workspace.id, { topic: 'trust.run', subject: null }]);
  });
});
