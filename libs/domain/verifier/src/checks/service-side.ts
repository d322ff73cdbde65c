import { notApplicable, type Verdict } from '../verdict.ts';

/** Reconciliation compares with the caller’s own list, which no bundle holds. */
export function checkReconciliation(): Verdict {
  return notApplicable('no reconciliation run is at hand; it compares with a list that only the caller has');
}
