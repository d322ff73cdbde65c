import type { ReadingRule } from '@answer-evidence/contracts';
import type { Caller } from './callers.ts';

/**
 * What becomes of texts that a caller would be given: they leave (`free`), they leave after an entry of the log that
 * says so (`entry`), or they stay (`withhold`). A reason that is given is always kept. An application reads by its
 * scope.
 */
type ReadingDecision = 'free' | 'entry' | 'withhold';

/** Decides it, for every reply that has texts and for every rule. */
export function decideReading(rule: ReadingRule, caller: Pick<Caller, 'kind'>, hasReason: boolean): ReadingDecision {
  if (hasReason) return 'entry';
  if (caller.kind === 'application') return 'free';
  return ({ open: 'free', logged: 'entry', reasoned: 'withhold' } as const)[rule];
}
