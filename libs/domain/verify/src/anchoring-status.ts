import type { CheckName, Outcome, Verification } from '@answer-evidence/contracts';

/** What a checkpoint must pass before waiting can do anything for it. */
const FOUNDATIONS = ['checkpoint_signature', 'merkle_inclusion'] as const;
/** What the policy demands of others. */
const DEMANDS = ['witness_cosignatures', 'external_anchor', 'anchored'] as const;

/** SKIP of these is waiting. `external_anchor` is SKIP also for a `file` anchor alone, which waiting does not help. */
const WAITING = ['witness_cosignatures', 'anchored'] as const;

/**
 * ANCHORED is what the check `anchored` says. PENDING: something demanded is still missing, and nothing that is there
 * is wrong, so that waiting may help.
 */
export function anchoringOf(outcomeOf: (check: CheckName) => Outcome | undefined): Verification['anchoring'] {
  if (outcomeOf('anchored') === 'PASS') return 'ANCHORED';
  if (FOUNDATIONS.some((name) => outcomeOf(name) !== 'PASS')) return 'NOT_ANCHORED';
  if (DEMANDS.some((name) => outcomeOf(name) === 'FAIL')) return 'NOT_ANCHORED';
  return WAITING.some((name) => outcomeOf(name) === 'SKIP') ? 'PENDING' : 'NOT_ANCHORED';
}
