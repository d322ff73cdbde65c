import { describe, expect, it } from '@jest/globals';
import { proofBundle, revealCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { createRecord, NO_ID, openTrust } from '../../fixtures/trust.ts';

const WHY = { reason_code: 'audit', reason: 'the yearly audit' };
const pathOf = (id: string) => `/api/trust/proofs/answers/${id}/reveal`;

describe('POST /api/trust/proofs/answers/{answer_log_id}/reveal', () => {
  it('gives the bundle with its texts, also to a console, and an entry that says who reads them and why', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    const headers = { 'service-texts': 'withheld' };
    const reply = await stage.call('POST', pathOf(id), { as: stage.member, body: WHY, headers });
    const bundle = proofBundle.parse(JSON.parse(JSON.stringify(reply.body)));
    expect(bundle.format).toBe('answer-evidence-bundle/v1');
    expect(bundle.record.disclosed.answer).not.toBeNull();
    const [entry, ...more] = await stage.logs.workspaceEntries(stage.workspace.id, 'texts_revealed');
    expect(more).toEqual([]);
    expect(revealCore.parse(parseJsonText(entry?.core_json ?? ''))).toMatchObject({
      answer_log_id: id,
      ...WHY,
      actor: { kind: 'user', id: stage.member.userId },
    });
  });

  it('enters nothing without a reason, or for no record', async () => {
    const stage = await openTrust();
    const { id } = await createRecord(stage);
    const refused = await stage.call('POST', pathOf(id), { as: stage.manager, body: { reason_code: 'audit' } });
    expect(refused).toMatchObject({ status: 422, code: 'schema_violation' });
    const missing = await stage.call('POST', pathOf(NO_ID), { as: stage.manager, body: WHY });
    expect(missing).toMatchObject({ status: 404, code: 'not_found' });
    expect(await stage.logs.workspaceEntries(stage.workspace.id, 'texts_revealed')).toEqual([]);
  });
});
