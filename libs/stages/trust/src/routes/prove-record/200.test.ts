import { beforeAll, describe, expect, it } from '@jest/globals';
import { commitKeyed } from '@answer-evidence/commitments';
import { logKeyList, type ProofBundle, proofBundle, type TrustFile, withheldBundle } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import { verifySignature } from '@answer-evidence/node-crypto';
import { changeSettings } from '@answer-evidence/testing';
import { verifyBundle } from '@answer-evidence/verify';
import { appendEvent, attachTrace, checksWith, createRecord, openTrust, type TrustTest } from '../../fixtures/trust.ts';

describe('GET /api/trust/proofs/answers/{answer_log_id}', () => {
  let stage: TrustTest;
  beforeAll(async () => {
    stage = await openTrust();
  });

  async function prove(recordId: string): Promise<ProofBundle> {
    const reply = await stage.call('GET', `/api/trust/proofs/answers/${recordId}`, { as: stage.manager });
    // As it comes out of a file.
    return proofBundle.parse(JSON.parse(JSON.stringify(reply.body)));
  }

  /** What an auditor pins, from the list of keys. */
  async function pins(): Promise<TrustFile> {
    const keys = logKeyList.parse((await stage.call('GET', '/api/trust/keys', { as: stage.member })).body);
    const [key] = keys.items;
    if (key === undefined) throw new Error('the log has a key');
    const { vkey, first_tree_size, last_tree_size } = key;
    return {
      format: 'answer-evidence-trust/v1',
      logs: [{ origin: keys.origin, keys: [{ vkey, first_tree_size, last_tree_size }] }],
      witness_policy: null,
      tsa_roots: [],
    };
  }

  it('gives a bundle that an auditor verifies with the pinned key, the receipt and nothing else', async () => {
    const { id, receipt } = await createRecord(stage, { source_refs: [{ n: 1 }] });
    await appendEvent(stage, id, { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } });
    const trust = await pins();
    const verified = await verifyBundle(await prove(id), trust, { verifySignature, receipt });
    expect(checksWith('FAIL', verified)).toEqual([]);
    expect(checksWith('SKIP', verified)).toEqual(['event_completeness', 'log_order', 'receipt']);
    expect(verified.pins).toEqual(trust.logs[0]?.keys.map(({ vkey }) => vkey));
  });

  it('leads every proof of a bundle to one checkpoint', async () => {
    const { id } = await createRecord(stage);
    await appendEvent(stage, id, { event_type: 'voided' });
    await attachTrace(stage, id);
    await createRecord(stage);
    const { checkpoint, record, events, attachments } = await prove(id);
    expect(attachments.map(({ core }) => core['span_id'])).toEqual(['b7ad6b7169203331']);
    for (const { proof } of [record, ...events, ...attachments]) expect(proof.endsWith(checkpoint)).toBe(true);
  });

  it('of a record with hundreds of traces comes in pieces, and verifies like any other', async () => {
    const { id, receipt } = await createRecord(stage);
    await Promise.all(Array.from({ length: 300 }, (_, n) => attachTrace(stage, id, n.toString(16).padStart(16, '0'))));
    const trust = await pins();
    const reply = await stage.call('GET', `/api/trust/proofs/answers/${id}`, { as: stage.manager });
    const bundle = proofBundle.parse(reply.body);
    expect(bundle.attachments).toHaveLength(300);
    expect(checksWith('FAIL', await verifyBundle(bundle, trust, { verifySignature, receipt }))).toEqual([]);
  });

  it.each([
    ['in the query', '?texts=withheld', {}],
    ['by the header of the console', '', { 'service-texts': 'withheld' }],
  ])('withholds the texts and says so when asked to %s', async (_how, query, headers) => {
    const { id } = await createRecord(stage, { answer: { text: 'an answer' }, semantic_refs: [{ concept: 'shown' }] });
    await appendEvent(stage, id, {
      event_type: 'correction_appended',
      payload: { corrected_answer_text: 'another answer' },
    });
    const path = `/api/trust/proofs/answers/${id}${query}`;
    const reply = await stage.call('GET', path, { as: stage.manager, headers });
    const bundle = withheldBundle.parse(JSON.parse(JSON.stringify(reply.body)));
    expect(JSON.stringify(bundle)).not.toMatch(/an answer|another answer/);
    expect(bundle.record.disclosed.semantic_refs).toMatchObject([{ item: { concept: 'shown' } }]);
    const verified = await verifyBundle(bundle, await pins(), { verifySignature });
    expect(checksWith('FAIL', verified)).toEqual([]);
    expect(checksWith('SKIP', verified)).toEqual([
      'question_commitment',
      'answer_commitment',
      'corrections',
      'event_completeness',
      'log_order',
    ]);
  });

  it('holds nothing of what was redacted', async () => {
    const { id } = await createRecord(stage, {
      answer: { text: 'a text to be gone' },
      semantic_refs: [{ concept: 'an item to be gone' }],
    });
    const payload = { redact_semantic_refs: true };
    expect(JSON.stringify(await prove(id))).toContain('to be gone');
    await appendEvent(stage, id, { event_type: 'redacted', payload });
    const bundle = await prove(id);
    expect(JSON.stringify(bundle)).not.toContain('to be gone');
    expect(bundle.record.disclosed).toEqual({ question: null, answer: null, semantic_refs: [null], source_refs: [] });
  });

  it('discloses of a keyed commitment the record’s own key, which opens no other record', async () => {
    await changeSettings(stage, { answer_audit_keyed_hash_enabled: true });
    const [one, other] = [await createRecord(stage), await createRecord(stage)];
    const { key } = (await prove(one.id)).record.disclosed.answer ?? { key: null };
    expect(commitKeyed(parseHex(key ?? ''), 'answer', 'Because.')).toBe(one.answer.hash);
    expect(commitKeyed(parseHex(key ?? ''), 'answer', 'Because.')).not.toBe(other.answer.hash);
  });
});
