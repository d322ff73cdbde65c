import { describe, expect, it } from '@jest/globals';
import { answerRecord, logKeyItem } from '@answer-evidence/contracts';
import { parseNote, parseTlogProof } from '@answer-evidence/note';
import { createRecord, openTrust } from '../../fixtures/trust.ts';

describe('POST /api/trust/keys', () => {
  it('adds a key that signs every tree from here on, beside the one that there is', async () => {
    const stage = await openTrust();
    const before = await createRecord(stage);
    const reply = await stage.call('POST', '/api/trust/keys', { as: stage.manager });
    expect(reply).toMatchObject({ status: 201, body: { state: 'next', last_tree_size: null } });
    const added = logKeyItem.parse(reply.body);
    expect(added.first_tree_size).toBe(before.ledger.leaf_index + 2);
    const after = await createRecord(stage);
    const signaturesOf = (receipt: string) => parseNote(parseTlogProof(receipt).checkpoint).signatures.length;
    expect([signaturesOf(before.receipt), signaturesOf(after.receipt)]).toEqual([1, 2]);
    const list = await stage.call('GET', '/api/trust/keys', { as: stage.member });
    expect(list.body).toMatchObject({ items: [{ vkey: stage.workspace.vkey, state: 'active' }, added] });
    const read = await stage.call('GET', `/api/answer-audit-logs/${before.id}`, { as: stage.manager });
    expect(answerRecord.parse(read.body).id).toBe(before.id);
  });
});
