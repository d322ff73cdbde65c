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
import { CheckFailure, pass, runCheck } from './verdict.ts';

/**
 * Verifies a receipt (C2SP tlog-proof) of an entry's exact text under given keys, with nothing else: that the text is
 * an entry, that it is in the tree of the receipt's checkpoint, and that the checkpoint is signed by one of the keys
 * and names the log by that key's name. Throws `NoteError` when a vkey cannot be read; content is reported, never
 * thrown.
 */
export async function verifyReceipt(
  receiptText: string,
  entryText: string,
  vkeys: readonly string[],
  verify: VerifySignature,
): Promise<readonly CheckResult[]> {
  const keys = vkeys.map(parseVkey);
  return [
    await runCheck(
      'leaf_entry',
      () => {
        const entry = readEntry({ name: 'the leaf', entry: entryText });
        return pass(`the entry is canonical: ${entry.type} ${entry.id}, stated to be of ${entry.at}`);
      },
      DOES_NOT_PROVE,
    ),
    await runCheck(
      'merkle_inclusion',
      () => {
        const { proof, checkpoint } = readReceipt(receiptText);
        verifyInclusion(proof.index, checkpoint.size, leafHash(entryText), proof.hashes, checkpoint.root);
        return pass(`the entry is leaf ${proof.index} of the tree of ${checkpoint.size} leaves`);
      },
      DOES_NOT_PROVE,
    ),
    await runCheck(
      'checkpoint_signature',
      async () => {
        const { note, checkpoint } = readReceipt(receiptText);
        const signers = await verifyNote(note, keys, verify);
        if (!signers.some((signer) => signer.name === checkpoint.origin)) {
          throw new CheckFailure('the checkpoint is signed by a key of another log');
        }
        return pass(`signed by the given key of ${checkpoint.origin}`);
      },
      DOES_NOT_PROVE,
    ),
  ];
}

function readReceipt(text: string) {
  const proof = parseTlogProof(text);
  const note = parseNote(proof.checkpoint);
  return { proof, note, checkpoint: parseCheckpoint(note.text) };
}
