import type { TrustFile } from '@answer-evidence/contracts';
import {
  evaluateQuorum,
  NoteError,
  parseVkey,
  parseWitnessPolicy,
  verifyCosignatures,
  type VerifyEd25519,
} from '@answer-evidence/note';
import { findPins } from '@answer-evidence/verify';
import type { SignedCheckpoint } from './signed-checkpoint.ts';

/** Whether the witnesses that the trust file demands have cosigned a checkpoint; `none`: it demands none. */
type CosignatureJudgement =
  | { readonly kind: 'none' }
  | { readonly kind: 'reached' | 'lacking' | 'invalid'; readonly detail: string };

/** Counts the cosignatures. Throws `WitnessPolicyError` when the policy of the trust file cannot be read. */
export async function judgeCosignatures(
  { note, checkpoint }: SignedCheckpoint,
  trust: TrustFile,
  verify: VerifyEd25519,
): Promise<CosignatureJudgement> {
  const policy = trust.witness_policy === null ? null : parseWitnessPolicy(trust.witness_policy);
  if (policy === null || policy.quorum === null) return { kind: 'none' };
  try {
    const cosignatures = await verifyCosignatures(note, policy, verify);
    const logKeys = (findPins(trust, checkpoint.origin) ?? []).map(({ vkey }) => parseVkey(vkey));
    const cosigned = cosignatures.map(({ publicKeyHex }) => publicKeyHex);
    const { isMet, counted } = evaluateQuorum(policy, cosigned, logKeys);
    const names = counted.length === 0 ? 'no witness' : counted.join(', ');
    return { kind: isMet ? 'reached' : 'lacking', detail: `cosigned by ${names}` };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { kind: 'invalid', detail: `a cosignature in the name of a witness does not hold: ${error.reason}` };
  }
}
