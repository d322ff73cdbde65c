import { describe, expect, it } from '@jest/globals';
import { logKeyList } from '@answer-evidence/contracts';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseNote, parseTlogProof, parseVkey, verifyNote } from '@answer-evidence/note';
import { createRecord, openTrust } from '../../fixtures/trust.ts';

describe('GET /api/trust/keys', () => {
  it('lists the key that signs the log, to everybody who may read', async () => {
    const { application, call, manager, member, workspace } = await openTrust();
    for (const as of [application, manager, member])
      expect(await call('GET', '/api/trust/keys', { as })).toMatchObject({
        status: 200,
        body: {
          origin: workspace.origin,
          items: [{ vkey: workspace.vkey, state: 'active', first_tree_size: 0, last_tree_size: null }],
        },
      });
  });

  it('lists the very key under which receipts verify', async () => {
    const stage = await openTrust();
    const { receipt } = await createRecord(stage);
    const { items } = logKeyList.parse((await stage.call('GET', '/api/trust/keys', { as: stage.member })).body);
    const note = parseNote(parseTlogProof(receipt).checkpoint);
    const keys = items.map(({ vkey }) => parseVkey(vkey));
    expect(await verifyNote(note, keys, verifySignature)).toHaveLength(1);
  });
});
