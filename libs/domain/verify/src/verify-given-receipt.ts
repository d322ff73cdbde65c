import type { CheckResult, TrustFile } from '@answer-evidence/contracts';
import { leafHash, verifyInclusion } from '@answer-evidence/merkle';
import { parseCheckpoint, parseNote, parseTlogProof, type VerifySignature } from '@answer-evidence/note';
import { readEntry } from './bundle-context.ts';
import { DOES_NOT_PROVE } from './does-not-prove.ts';
import { requirePins, verifyPinned } from './trusted-checkpoint.ts';
import { pass, runCheck, skip } from './verdict.ts';
import { NO_TRUST } from './without-trust.ts';

/**
 * Verifies a receipt with what is at hand: without the text of its entry, and without a trust file, what needs them is
 * SKIP. Content is reported, never thrown.
 */
export async function verifyGivenReceipt(
  receipt: string,
  entry: string | undefined,
  trust: TrustFile | undefined,
  verify: VerifySignature,
): Promise<readonly CheckResult[]> {
  const read = () => {
    const proof = parseTlogProof(receipt);
    const note = parseNote(proof.checkpoint);
    return { proof, note, checkpoint: parseCheckpoint(note.text) };
  };
  return [
    await runCheck(
      'leaf_entry',
      () => {
        if (entry === undefined) return skip('a receipt is of an entry: give the file of the entry, or the log');
        const { type, id, at } = readEntry({ name: 'the leaf', entry });
        return pass(`the entry is canonical: ${type} ${id}, stated to be of ${at}`);
      },
      DOES_NOT_PROVE,
    ),
    await runCheck(
      'merkle_inclusion',
      () => {
        const { proof, checkpoint } = read();
        if (entry === undefined)
          return skip(`leaf ${proof.index} of ${checkpoint.origin}: its entry is not at hand, or the log`);
        verifyInclusion(proof.index, checkpoint.size, leafHash(entry), proof.hashes, checkpoint.root);
        return pass(`the entry is leaf ${proof.index} of the tree of ${checkpoint.size} leaves`);
      },
      DOES_NOT_PROVE,
    ),
    await runCheck(
      'checkpoint_signature',
      async () => {
        const { note, checkpoint } = read();
        if (trust === undefined) return skip(NO_TRUST);
        const keys = requirePins(trust, checkpoint.origin);
        const signers = await verifyPinned(note, checkpoint, keys, verify, 'ed25519-keys');
        return pass(`signed by ${signers.length === 1 ? 'the pinned key' : `${signers.length} pinned keys`}`);
      },
      DOES_NOT_PROVE,
    ),
  ];
}
