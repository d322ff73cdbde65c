import { beforeAll, describe, expect, it } from '@jest/globals';
import { anyBundle, type ProofBundle, type TrustFile } from '@answer-evidence/contracts';
import { verifySignature } from '@answer-evidence/node-crypto';
import { readHolds, verifyBundle } from '@answer-evidence/verify';
import { appendEvent, createRecord, openTrust, type TrustTest } from '../../fixtures/trust.ts';

describe('a bundle of what is or was on hold', () => {
  let stage: TrustTest;
  beforeAll(async () => {
    stage = await openTrust();
  });

  async function prove(recordId: string, as = stage.manager, query = ''): Promise<ProofBundle> {
    const reply = await stage.call('GET', `/api/trust/proofs/answers/${recordId}${query}`, { as });
    return anyBundle.parse(JSON.parse(JSON.stringify(reply.body))) as ProofBundle;
  }

  async function place(covered: object, matter: string): Promise<string> {
    const body = { matter, reason: 'A claim', ...covered };
    return ((await stage.call('POST', '/api/holds', { as: stage.manager, body })).body as { id: string }).id;
  }

  async function verify(bundle: ProofBundle) {
    const keys = bundle.log_keys.map(({ vkey, first_tree_size, last_tree_size }) => {
      return { vkey, first_tree_size, last_tree_size };
    });
    const trust: TrustFile = {
      format: 'answer-evidence-trust/v1',
      logs: [{ origin: bundle.origin, keys }],
      witness_policy: null,
      tsa_roots: [],
    };
    const { checks } = await verifyBundle(bundle, trust, { verifySignature });
    const failed = checks.filter(({ outcome }) => outcome === 'FAIL').map(({ check }) => check);
    return { failed, said: checks.find(({ check }) => check === 'leaf_entry')?.detail ?? '' };
  }

  it('states each hold with its matter and its times in the log, also one that was released', async () => {
    const environment = 'stated';
    const early = await place({ filters: { environment } }, 'Case 1');
    const { id } = await createRecord(stage, { environment });
    await place({ answer_log_ids: [id] }, 'Case 2');
    await place({ filters: { environment: 'another' } }, 'Case 3');
    await stage.call('POST', `/api/holds/${early}/release`, { as: stage.manager, body: { reason: 'It ended' } });
    const bundle = await prove(id);
    expect(readHolds(bundle)?.map(({ matter, until }) => [matter, until !== undefined])).toEqual([
      ['Case 1', true],
      ['Case 2', false],
    ]);
    const { failed, said } = await verify(bundle);
    expect(failed).toEqual([]);
    expect(said).toContain('2 holds covered the record, not released: 1');
    expect(said).not.toContain('Case');
    for (const { proof } of bundle.holds ?? []) expect(proof.endsWith(bundle.checkpoint)).toBe(true);
    const withheld = await prove(id, stage.manager, '?texts=withheld');
    expect(withheld.holds).toHaveLength(3);
  });

  it('says that none is stated where none ever was, and nothing to somebody who may not see holds', async () => {
    const { id } = await createRecord(stage, { environment: 'free' });
    expect((await prove(id)).holds).toEqual([]);
    expect((await verify(await prove(id))).said).toContain('no hold is stated');
    await place({ answer_log_ids: [id] }, 'Case 4');
    const bundle = await prove(id, stage.member);
    expect('holds' in bundle).toBe(false);
    expect(readHolds(bundle)).toBeUndefined();
    expect((await verify(bundle)).said).not.toContain('hold');
  });

  it('fails where a record was redacted under one, which a bundle with a release left out claims', async () => {
    const { id } = await createRecord(stage, { environment: 'redacted' });
    const held = await place({ answer_log_ids: [id] }, 'Case 5');
    await stage.call('POST', `/api/holds/${held}/release`, { as: stage.manager, body: { reason: 'It ended' } });
    await appendEvent(stage, id, { event_type: 'redacted' });
    const bundle = await prove(id);
    expect((await verify(bundle)).failed).toEqual([]);
    expect((await verify({ ...bundle, holds: bundle.holds?.slice(0, 1) ?? [] })).failed).toEqual(['leaf_entry']);
  });
});
