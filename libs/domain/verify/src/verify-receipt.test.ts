import { describe, expect, it } from '@jest/globals';
import { formatEntry } from '@answer-evidence/commitments';
import { createVkey, ED25519, formatVkey, NoteError } from '@answer-evidence/note';
import { receiptOf } from '../fixtures/bundles.ts';
import { createFixtureSigner, verifySignature } from '../fixtures/signer.ts';
import { createWorkedLog } from '../fixtures/worked-log.ts';
import { verifyReceipt } from './index.ts';

const { ledger } = await createWorkedLog();
const { vkey, origin } = ledger.names;
const entries = ledger.tables.ledger_leaves.map((leaf) => formatEntry(leaf));

async function outcomes(receipt: string, entry: string, vkeys: readonly string[] = [vkey]) {
  const checks = await verifyReceipt(receipt, entry, vkeys, verifySignature);
  return Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome]));
}

const ALL_PASS = { leaf_entry: 'PASS', merkle_inclusion: 'PASS', checkpoint_signature: 'PASS' };

describe('a receipt', () => {
  it('verifies for its entry at every tree size, and for no other entry', async () => {
    for (const [index, entry] of entries.entries()) {
      for (let size = index + 1; size <= entries.length; size++) {
        const receipt = receiptOf(ledger, index, size);
        expect(await outcomes(receipt, entry)).toEqual(ALL_PASS);
        const other = entries[(index + 1) % entries.length] ?? '';
        expect(await outcomes(receipt, other)).toEqual({ ...ALL_PASS, merkle_inclusion: 'FAIL' });
      }
    }
  });

  it('fails for an entry that is not in canonical form, even by a newline at its end', async () => {
    const result = await outcomes(receiptOf(ledger, 2), `${entries[2]}\n`);
    expect(result).toEqual({ ...ALL_PASS, leaf_entry: 'FAIL', merkle_inclusion: 'FAIL' });
  });

  it('fails under another key, and under the log’s key by another name', async () => {
    const stranger = formatVkey(createVkey(origin, ED25519, createFixtureSigner(2).publicKey));
    const renamed = formatVkey(createVkey('other.example/x/00000000', ED25519, ledger.signer.publicKey));
    for (const pin of [stranger, renamed]) {
      expect(await outcomes(receiptOf(ledger, 2), entries[2] ?? '', [pin])).toMatchObject({
        checkpoint_signature: 'FAIL',
      });
    }
  });

  it('that is not one fails without an exception, but a key that is not one is the caller’s mistake', async () => {
    const result = await outcomes('nothing', entries[2] ?? '');
    expect(result).toEqual({ leaf_entry: 'PASS', merkle_inclusion: 'FAIL', checkpoint_signature: 'FAIL' });
    await expect(outcomes('nothing', '', ['no key'])).rejects.toBeInstanceOf(NoteError);
  });
});
