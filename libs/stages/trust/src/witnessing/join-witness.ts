import type { TrustTest } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { type AskDeps, askWitness } from './ask-witness.ts';
import { describeFailure } from './describe-failure.ts';

const SECOND_MICROS = 1_000_000;

/**
 * Has a witness cosign a checkpoint, as it will when the policy names it: from what it has cosigned, with the proof.
 * The cosignature is verified by the key that was given for the witness, and is kept by nobody here.
 */
export async function joinWitness(
  deps: AskDeps,
  request: Omit<Parameters<typeof askWitness>[1], 'knownSize'>,
): Promise<TrustTest> {
  const outcome = await askWitness(deps, { ...request, knownSize: undefined });
  if (outcome.kind === 'failed') return { outcome: 'failed', detail: describeFailure(outcome), stated_at: null };
  return {
    outcome: 'works',
    detail: `it has cosigned all ${outcome.size} published entries`,
    stated_at: formatTimestamp(outcome.cosignature.timestamp * SECOND_MICROS),
  };
}
