import type { ProblemError, TestWitnessRequest } from '@answer-evidence/contracts';
import { parseWitnessPolicy, type PolicyWitness, WitnessPolicyError } from '@answer-evidence/note';
import { judgeAddress, judgeShown, type PolicyJudges } from './judge-policy.ts';

/** The witness that a line of a policy would name, or what is wrong with it. */
export function judgeWitness(
  { outbound }: Pick<PolicyJudges, 'outbound'>,
  { vkey, url }: TestWitnessRequest,
): { readonly witness: PolicyWitness } | { readonly errors: readonly ProblemError[] } {
  const errors = [...judgeShown(vkey, '/vkey'), ...judgeShown(url, '/url')];
  const witness = readWitness(vkey);
  if (witness === undefined)
    errors.push({ pointer: '/vkey', detail: 'must be the verifier key of a witness, as in name+12345678+base64' });
  const address = judgeAddress(outbound, url);
  if (address !== undefined) errors.push({ pointer: '/url', detail: address });
  return witness === undefined || errors.length > 0 ? { errors } : { witness: { ...witness, url } };
}

function readWitness(vkey: string): PolicyWitness | undefined {
  // One word: what follows white space would be further words or lines of a policy.
  if (/\s/.test(vkey)) return undefined;
  try {
    return parseWitnessPolicy(`witness w ${vkey}\nquorum none\n`).witnesses[0];
  } catch (error) {
    if (error instanceof WitnessPolicyError) return undefined;
    throw error;
  }
}
