import type { BundleContext } from '../bundle-context.ts';
import { notApplicable, skip, type Verdict } from '../verdict.ts';

/** Access events that the record names. A bundle of version 1 carries none of their leaves. */
export function checkEvidenceBinding({ bundle }: BundleContext): Verdict {
  const named = bundle.record.core.evidence_access_event_ids.length;
  if (named === 0) return notApplicable('the record names no access event');
  return skip(`the record names ${named} access events; their leaves are not at hand, so they could not be compared`);
}

/** Reconciliation compares with the caller’s own list, which no bundle holds. */
export function checkReconciliation(): Verdict {
  return notApplicable('no reconciliation run is at hand; it compares with a list that only the caller has');
}
