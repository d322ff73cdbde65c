import type { CheckResult } from '@answer-evidence/contracts';
import { leafHash, verifyInclusion } from '@answer-evidence/merkle';
import {
  parseCheckpoint,
  parseNote,
  parseTlogProof,
  parseVkey,
  verifyNote,
  type VerifySignature,
} from '@answer-evidence/note';
import { readEntry } from './bundle-context.ts';
import { DOES_NOT_PROVE } from './does-not-prove.ts';
import { CheckFailure, pass, runCheck, skip, type Verdict } from './verdict.ts';

/**
 * Verifies a receipt (C2SP tlog-proof) of an entry's exact text under given keys, with nothing else: that the text is
 * an entry, that it is in the tree of the receipt's checkpoint, and that the checkpoint is signed by one of the keys
 * and names the log by that key's name. Throws `NoteError` when a vkey cannot be read; content is reported, never
 * thrown.
 */
export async function verifyReceipt(
  receipt: string,
  entry: string,
  vkeys: readonly string[],
  verify: VerifySignature,
): Promise<readonly CheckResult[]> {
  const keys = vkeys.map(parseVkey);
  return checkReceipt(receipt, entry, async ({ note, checkpoint }) => {
    const signers = await verifyNote(note, keys, verify);
    if (!signers.some((signer) => signer.name === checkpoint.origin))
      throw new CheckFailure('the checkpoint is signed by a key of another log');
    return pass(`signed by the given key of ${checkpoint.origin}`);
  });
}

/** The checks of a receipt; what needs its entry is SKIP without. Content is reported, never thrown. */
export async function checkReceipt(
  receipt: string,
  entry: string | undefined,
  judgeSignature: (read: ReturnType<typeof readReceipt>) => Promise<Verdict>,
): Promise<readonly CheckResult[]> {
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
        const { proof, checkpoint } = readReceipt(receipt);
        if (entry === undefined)
          return skip(`leaf ${proof.index} of ${checkpoint.origin}: its entry is not at hand, or the log`);
        verifyInclusion(proof.index, checkpoint.size, leafHash(entry), proof.hashes, checkpoint.root);
        return pass(`the entry is leaf ${proof.index} of the tree of ${checkpoint.size} leaves`);
      },
      DOES_NOT_PROVE,
    ),
    await runCheck('checkpoint_signature', () => judgeSignature(readReceipt(receipt)), DOES_NOT_PROVE),
  ];
}

function readReceipt(text: string) {
  const proof = parseTlogProof(text);
  const note = parseNote(proof.checkpoint);
  return { proof, note, checkpoint: parseCheckpoint(note.text) };
}
