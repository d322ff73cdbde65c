import { formatHex } from '@answer-evidence/encoding';
import { formatCosignatureLine, verifyCosignature } from './cosignature.ts';
import type { SignedNote } from './signed-note.ts';
import type { VerifySignature } from './verify-signature.ts';
import { findNamedKey, formatVkey } from './vkey.ts';
import type { PolicyWitness, WitnessPolicy } from './witness-policy.ts';

/** A cosignature that holds, and by which witness of the policy. */
export type VerifiedCosignature = {
  /** The name that the policy gives to the witness. */
  readonly witness: string;
  readonly vkey: string;
  readonly publicKeyHex: string;
  /** Seconds since 1970, as the witness says. */
  readonly timestamp: number;
  /** The signature line, with its line feed. */
  readonly line: string;
};

/**
 * The cosignatures of the policy's witnesses on a checkpoint's note, one a witness: its latest. Signatures by other
 * keys are ignored; one that is wrong, in the name of a witness of the policy, rejects the note
 * (C2SP signed-note). Throws `NoteError`.
 */
export async function verifyCosignatures(
  note: SignedNote,
  policy: Pick<WitnessPolicy, 'witnesses'>,
  verify: VerifySignature,
): Promise<readonly VerifiedCosignature[]> {
  const { witnesses } = policy;
  const vkeys = witnesses.map(({ vkey }) => vkey);
  const latest = new Map<PolicyWitness, VerifiedCosignature>();
  for (const { name, keyId, signature } of note.signatures) {
    const vkey = findNamedKey(vkeys, name, keyId);
    const witness = witnesses.find((candidate) => candidate.vkey === vkey);
    if (vkey === undefined || witness === undefined) continue;
    const cosignature = await verifyCosignature(note.text, vkey, signature, verify);
    const known = latest.get(witness);
    if (known !== undefined && known.timestamp >= cosignature.timestamp) continue;
    latest.set(witness, {
      witness: witness.name,
      vkey: formatVkey(vkey),
      publicKeyHex: formatHex(vkey.publicKey),
      timestamp: cosignature.timestamp,
      line: formatCosignatureLine(vkey, cosignature),
    });
  }
  return [...latest.values()];
}
