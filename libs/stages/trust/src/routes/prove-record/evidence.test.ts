import { beforeAll, describe, expect, it } from '@jest/globals';
import { formatEntry } from '@answer-evidence/commitments';
import { logKeyList, type ProofBundle, proofBundle, type TrustFile } from '@answer-evidence/contracts';
import { verifySignature } from '@answer-evidence/node-crypto';
import { accessTestAsset, registerTestAsset } from '@answer-evidence/testing';
import { verifyBundle } from '@answer-evidence/verify';
import {
  appendEvent,
  checksWith,
  createRecord,
  openTrust,
  type TrustTest,
  verifyRecord,
} from '../../fixtures/trust.ts';

describe('the bundle of a record that binds evidence', () => {
  let stage: TrustTest;
  beforeAll(async () => {
    stage = await openTrust();
  });

  async function prove(recordId: string): Promise<ProofBundle> {
    const reply = await stage.call('GET', `/api/trust/proofs/answers/${recordId}`, { as: stage.manager });
    return proofBundle.parse(JSON.parse(JSON.stringify(reply.body)));
  }

  async function verifyOffline(bundle: ProofBundle) {
    const { items, origin } = logKeyList.parse((await stage.call('GET', '/api/trust/keys', { as: stage.member })).body);
    const keys = items.map(({ vkey, first_tree_size, last_tree_size }) => ({ vkey, first_tree_size, last_tree_size }));
    const trust: TrustFile = {
      format: 'answer-evidence-trust/v1',
      logs: [{ origin, keys }],
      witness_policy: null,
      tsa_roots: [],
    };
    return verifyBundle(bundle, trust, { verifySignature });
  }

  async function answered(segments: readonly number[] | null) {
    const asset = await registerTestAsset(stage, ['Two years.', 'Free returns.', `Call us ${String(segments)}.`]);
    const { accessId, sourceRefId } = await accessTestAsset(stage, asset.id, segments);
    const source_refs = [{ source_ref_id: sourceRefId, source_name: 'faq.md' }];
    const { id } = await createRecord(stage, { evidence_access_event_ids: [accessId], source_refs });
    return { id, asset, sourceRefId };
  }

  it('has the access, the asset and the segments that were named, and no text of them', async () => {
    const { id, asset } = await answered([1]);
    const bundle = await prove(id);
    expect(bundle.evidence).toMatchObject({
      accesses: [{ core: { asset_id: asset.id, segments: [1] } }],
      assets: [{ segments: [{ index: 1, segment_id: asset.segmentIds[1], disclosed: null }], erasures: [] }],
    });
    expect(JSON.stringify(bundle)).not.toContain('Free returns.');
    const verified = await verifyOffline(bundle);
    expect(checksWith('FAIL', verified)).toEqual([]);
    expect(checksWith('PASS', verified)).toContain('evidence_binding');
  });

  it('takes a text with its salt from anyone who retrieved it', async () => {
    const { id, asset } = await answered([1]);
    const bundle = await prove(id);
    const segment = bundle.evidence?.assets[0]?.segments[0];
    if (segment === undefined) throw new Error('the bundle shows a segment');
    segment.disclosed = { salt: asset.salts[1] ?? '', text: 'Free returns.' };
    expect(checksWith('PASS', await verifyOffline(bundle))).toContain('evidence_binding');
    segment.disclosed.text = 'No returns.';
    expect(checksWith('FAIL', await verifyOffline(bundle))).toEqual(['evidence_binding']);
  });

  it('from before a redaction still verifies, and the one from after shows the tombstone', async () => {
    const { id, asset, sourceRefId } = await answered([0, 2]);
    const before = await prove(id);
    await appendEvent(stage, id, { event_type: 'redacted', payload: { redact_source_ref_ids: [sourceRefId] } });
    const after = await prove(id);
    expect(after.evidence?.assets[0]?.erasures).toMatchObject([{ core: { asset_id: asset.id, segments: [0, 2] } }]);
    for (const bundle of [before, after]) {
      const verified = await verifyOffline(bundle);
      expect(checksWith('FAIL', verified)).toEqual([]);
      expect(checksWith('PASS', verified)).toContain('evidence_binding');
    }
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual([]);
    after.evidence?.assets[0]?.erasures.pop();
    expect(checksWith('FAIL', await verifyOffline(after))).toEqual(['evidence_binding']);
  });

  it('has the links of a record among what hangs on it', async () => {
    const { id } = await createRecord(stage);
    await registerTestAsset(stage, ['beside it'], { recordId: id });
    const bundle = await prove(id);
    expect(bundle.attachments).toMatchObject([{ core: { answer_log_id: id } }]);
    const leaves = await stage.logs.leavesOf(stage.workspace.id, id, 1_000);
    expect(bundle.attachments.map(({ entry }) => entry)).toEqual(leaves.slice(1).map((leaf) => formatEntry(leaf)));
    expect(checksWith('FAIL', await verifyRecord(stage, id))).toEqual([]);
  });
});
