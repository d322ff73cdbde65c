import type { ReadingRule } from '@answer-evidence/contracts';
import type { Caller } from './callers.ts';
import { isAllowed } from './matrix.ts';

/**
 * What becomes of texts that a caller would be given: they leave (`free`), they leave after an entry of the log that
 * says so (`entry`), or they stay (`withhold`). A reason that is given is always kept. An application reads by its
 * scope.
 */
type ReadingDecision = 'free' | 'entry' | 'withhold';

/** Whether a caller's role gives texts at all; an application's scope has decided that at the door. */
export function mayReadTexts(caller: Caller): boolean {
  return caller.kind === 'application' || isAllowed(caller, 'texts.read');
}

/**
 * Decides it, for every reply that has texts and for every rule. No rule and no reason gives texts to somebody whose
 * role has none.
 */
export function decideReading(rule: ReadingRule, caller: Caller, hasReason: boolean): ReadingDecision {
  if (!mayReadTexts(caller)) return 'withhold';
  if (hasReason) return 'entry';
  if (caller.kind === 'application') return 'free';
  return ({ open: 'free', logged: 'entry', reasoned: 'withhold' } as const)[rule];
}
