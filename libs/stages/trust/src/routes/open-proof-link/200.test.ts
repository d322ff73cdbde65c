import { beforeAll, describe, expect, it } from '@jest/globals';
import { hashCore } from '@answer-evidence/commitments';
import { type OpenedProof, openedProof, proofBundle } from '@answer-evidence/contracts';
import { verifySignature } from '@answer-evidence/node-crypto';
import { verifyBundle, verifyGivenReceipt } from '@answer-evidence/verify';
import { allowLinks, makeLink, openLink } from '../../fixtures/proof-links.ts';
import { appendEvent, checksWith, createRecord, openTrust, type TrustTest } from '../../fixtures/trust.ts';

const HIDDEN = ['the only question', 'the only answer', 'the corrected answer', 'the only source', 'the only reason'];

describe('POST /api/proof-links/open', () => {
  let stage: TrustTest;
  beforeAll(async () => {
    stage = await openTrust();
    await allowLinks(stage);
  });

  async function recordWithLink(body: object = {}) {
    const { id } = await createRecord(stage, {
      question: { text: HIDDEN[0] },
      answer: { text: HIDDEN[1] },
      source_refs: [{ source_name: HIDDEN[3] }],
    });
    await appendEvent(stage, id, {
      event_type: 'correction_appended',
      reason: HIDDEN[4],
      payload: { corrected_answer_text: HIDDEN[2] },
    });
    return { id, link: await makeLink(stage, id, body) };
  }

  async function openAs(token: string): Promise<OpenedProof> {
    const reply = await openLink(stage, token);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'X-Robots-Tag': 'noindex, nofollow',
      'Referrer-Policy': 'no-referrer',
    });
    return openedProof.parse(JSON.parse(JSON.stringify(reply.body)));
  }

  const openings = async () =>
    (await stage.entries.list(stage.workspace.id, { type: 'proof_link_opened' }, { offset: 0, limit: 100 })).items
      .length;

  it('shows the record of the link, which verifies with what comes with it', async () => {
    const { id, link } = await recordWithLink();
    const proof = await openAs(link.token);
    const bundle = proofBundle.parse(proof.bundle);
    expect(bundle.record.core['id']).toBe(id);
    for (const text of HIDDEN) expect(JSON.stringify(proof)).toContain(text);
    expect(checksWith('FAIL', await verifyBundle(bundle, proof.trust, { verifySignature }))).toEqual([]);
    expect(proof).toMatchObject({ shows: 'record', commitments: null, expires_at: link.expires_at });
  });

  it('shows commitments without any text, source or reason, each of which the log proves', async () => {
    const { link } = await recordWithLink({ shows: 'commitments' });
    const proof = await openAs(link.token);
    for (const text of HIDDEN) expect(JSON.stringify(proof)).not.toContain(text);
    expect(proof.bundle).toBeNull();
    expect(proof.commitments).toHaveLength(2);
    for (const { entry, core, proof: receipt } of proof.commitments ?? []) {
      const checks = await verifyGivenReceipt(receipt, entry, proof.trust, verifySignature);
      expect(checksWith('FAIL', { checks: [...checks] })).toEqual([]);
      const { type, hash } = JSON.parse(entry) as { type: 'answer_recorded'; hash: string };
      expect(hashCore(type, core)).toBe(hash);
    }
  });

  it('leaves one entry per hour, however often and by how many at once it is opened', async () => {
    const { id, link } = await recordWithLink();
    const before = await openings();
    await Promise.all(Array.from({ length: 5 }, () => openAs(link.token)));
    await openAs(link.token);
    expect((await openings()) - before).toBe(1);
    const { body } = await stage.call('GET', `/api/answer-audit-logs/${id}/proof-links`, { as: stage.manager });
    expect(body).toMatchObject({ items: [{ id: link.id, opened_at: expect.any(String) }] });
  });
});
