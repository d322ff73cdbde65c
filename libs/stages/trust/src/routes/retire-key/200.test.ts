import { describe, expect, it } from '@jest/globals';
import { trustFile } from '@answer-evidence/contracts';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseNote, parseTlogProof } from '@answer-evidence/note';
import { verifyBundle } from '@answer-evidence/verify';
import { trustOf } from '../../bundle/trust-of.ts';
import {
  checksWith,
  createRecord,
  openTrust,
  runConsumer,
  type TrustTest,
  verifyRecord,
} from '../../fixtures/trust.ts';

async function pinsOf(stage: TrustTest) {
  const { workspace } = stage;
  return trustFile.parse(
    trustOf(workspace, await stage.logs.signer(workspace.id), await stage.trust.policy(workspace.id)),
  );
}

describe('POST /api/trust/keys/retire', () => {
  it('ends a key; what it signed verifies by the keys of now, and what came after only by the new one', async () => {
    const stage = await openTrust();
    const before = await createRecord(stage);
    const oldPins = await pinsOf(stage);
    await stage.call('POST', '/api/trust/keys', { as: stage.manager });
    const between = await createRecord(stage);
    const body = { vkey: stage.workspace.vkey };
    const reply = await stage.call('POST', '/api/trust/keys/retire', { as: stage.manager, body });
    expect(reply).toMatchObject({
      status: 200,
      body: { items: [{ state: 'retired', last_tree_size: between.ledger.leaf_index + 1 }, { state: 'active' }] },
    });
    const after = await createRecord(stage);
    expect(parseNote(parseTlogProof(after.receipt).checkpoint).signatures).toHaveLength(1);
    await runConsumer(stage, 'trust.run');
    for (const { id, receipt } of [before, between, after]) {
      expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual([]);
      const bundle = await stage.call('GET', `/api/trust/proofs/answers/${id}`, { as: stage.manager });
      const now = await verifyBundle(bundle.body, await pinsOf(stage), { verifySignature, receipt });
      expect(checksWith('FAIL', now)).toEqual([]);
      const then = await verifyBundle(bundle.body, oldPins, { verifySignature });
      expect(checksWith('FAIL', then)).toContain('checkpoint_signature');
    }
  });
});
