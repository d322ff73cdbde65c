import { describe, expect, it } from '@jest/globals';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseCheckpoint, parseNote, parseVkey, verifyNote } from '@answer-evidence/note';
import { createRecord, openTrust, putPolicy, runConsumer } from '../../fixtures/trust.ts';

describe('GET /api/trust/checkpoints', () => {
  it('lists what was published, newest first, each signed by the log', async () => {
    const stage = await openTrust();
    await putPolicy(stage, { checkpoint_interval_seconds: 1 });
    await runConsumer(stage, 'trust.publish');
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    const reply = await stage.call('GET', '/api/trust/checkpoints', { as: stage.application });
    expect(reply.status).toBe(200);
    const { items, total } = reply.body as { items: { tree_size: number; note: string }[]; total: number };
    expect(total).toBe(2);
    expect(items[0]?.tree_size).toBe((items[1]?.tree_size ?? 0) + 1);
    for (const { tree_size: size, note } of items) {
      const parsed = parseNote(note);
      expect(parseCheckpoint(parsed.text).size).toBe(size);
      expect(await verifyNote(parsed, [parseVkey(stage.workspace.vkey)], verifySignature)).toHaveLength(1);
    }
    expect(items[0]).toMatchObject({ quorum_reached: null, cosignatures: [] });
  });
});
