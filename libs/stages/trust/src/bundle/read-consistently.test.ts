import { describe, expect, it } from '@jest/globals';
import { appendEvent, createRecord, openTrust, type TrustTest } from '../fixtures/trust.ts';
import { readConsistently } from './read-consistently.ts';

/** Reads of a record, each after an event was appended to it, as often as told. */
function interrupted(
  stage: TrustTest,
  times: number,
): Pick<TrustTest, 'logs' | 'records' | 'evidence' | 'directory' | 'holds'> {
  let left = times;
  return {
    logs: stage.logs,
    evidence: stage.evidence,
    directory: stage.directory,
    holds: stage.holds,
    records: {
      ...stage.records,
      async find(workspaceId, recordId) {
        if (left-- > 0) await appendEvent(stage, recordId, { event_type: 'retention_extended' });
        return stage.records.find(workspaceId, recordId);
      },
    },
  };
}

describe('readConsistently', () => {
  it.each([0, 1, 9])('returns a head that holds every leaf of the record, with %i events in between', async (times) => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    const { stored, snapshot } = await readConsistently(interrupted(stage, times), stage.manager, id);
    expect(stored.events).toHaveLength(times);
    for (const { leaf } of [stored, ...stored.events]) expect(leaf.leaf_index).toBeLessThan(snapshot.head.tree_size);
  });

  it('gives up on a record that never stands still, and lets the caller retry', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    await expect(readConsistently(interrupted(stage, Infinity), stage.manager, id)).rejects.toMatchObject({
      code: 'ledger_unavailable',
      remedy: 'retry',
    });
  });

  it('is not held up by what happens to other records', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    let reads = 0;
    const records: typeof stage.records = {
      ...stage.records,
      async find(workspaceId, recordId) {
        reads += 1;
        await createRecord(stage);
        return stage.records.find(workspaceId, recordId);
      },
    };
    const { stored } = await readConsistently({ ...stage, records }, stage.manager, id);
    expect([stored.record.id, reads]).toEqual([id, 1]);
  });

  it('refuses what is not there, and what is another application’s', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage, { application_key: 'other-bot' });
    await expect(readConsistently(stage, stage.manager, stage.workspace.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(readConsistently(stage, stage.application, id)).rejects.toMatchObject({
      code: 'application_not_allowed',
    });
  });
});
