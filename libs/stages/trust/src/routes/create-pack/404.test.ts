import { describe, expect, it } from '@jest/globals';
import { createRecord, NO_ID, openTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/packs', () => {
  it('answers 404 to an id that names no record of the workspace, and logs no export', async () => {
    const [stage, other] = [await openTrust(), await openTrust()];
    const [own, foreign] = [await createRecord(stage), await createRecord(other)];
    for (const id of [NO_ID, stage.workspace.logId, foreign.id])
      expect(
        await stage.call('POST', '/api/trust/packs', { as: stage.manager, body: { answer_log_ids: [own.id, id] } }),
      ).toMatchObject({ status: 404, code: 'not_found' });
    expect(await stage.logs.workspaceEntries(stage.workspace.id, 'export_made')).toEqual([]);
  });
});
