import type { TrustFile } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import {
  evaluateQuorum,
  NoteError,
  parseVkey,
  parseWitnessPolicy,
  verifyCosignatures,
  type VerifySignature,
} from '@answer-evidence/note';
import { assertNotBefore, findPins, type YoungestLeaf } from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import type { SignedCheckpoint } from './signed-checkpoint.ts';

/** Whether the witnesses that the trust file demands have cosigned a checkpoint; `none`: it demands none. */
type CosignatureJudgement =
  | { readonly kind: 'none' }
  | { readonly kind: 'reached' | 'lacking' | 'invalid'; readonly detail: string };

/**
 * Counts the cosignatures. `youngest` is the last leaf of the tree that was read, which no cosignature may contradict.
 * Throws `WitnessPolicyError` when the policy of the trust file cannot be read.
 */
export async function judgeCosignatures(
  { note, checkpoint }: SignedCheckpoint,
  trust: TrustFile,
  verify: VerifySignature,
  youngest?: YoungestLeaf,
): Promise<CosignatureJudgement> {
  const policy = trust.witness_policy === null ? null : parseWitnessPolicy(trust.witness_policy);
  if (policy === null || policy.quorum === null) return { kind: 'none' };
  try {
    const cosignatures = await verifyCosignatures(note, policy, verify);
    for (const { witness, timestamp } of cosignatures)
      assertNotBefore(`the cosignature of ${witness}`, timestamp * MICROS_PER_SECOND, youngest);
    const logKeys = (findPins(trust, checkpoint.origin) ?? []).map(({ vkey }) => parseVkey(vkey));
    const cosigned = cosignatures.map(({ publicKeyHex }) => publicKeyHex);
    const { isMet, counted } = evaluateQuorum(policy, cosigned, logKeys);
    const names = counted.length === 0 ? 'no witness' : counted.join(', ');
    return { kind: isMet ? 'reached' : 'lacking', detail: `cosigned by ${names}` };
  } catch (error) {
    if (error instanceof CheckFailure) return { kind: 'invalid', detail: error.message };
    if (!(error instanceof NoteError)) throw error;
    return { kind: 'invalid', detail: `a cosignature in the name of a witness does not hold: ${error.reason}` };
  }
}
