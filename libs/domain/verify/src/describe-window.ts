import type { Verification, Voucher } from '@answer-evidence/contracts';

/** The window in which a record came into the log, in words: each end with the parties that vouch for it. */
export type DescribedWindow = { readonly stated: string; readonly after: string; readonly notLaterThan: string };

/** Puts a window into words for people. */
export function describeWindow(sequenced: Verification['sequenced']): DescribedWindow {
  const { stated, after, after_by: afterBy, not_later_than: until, not_later_than_by: untilBy } = sequenced;
  return {
    stated: stated === null ? 'unknown' : `${stated}, the operator's word`,
    after: describeEnd(after, afterBy),
    notLaterThan: describeEnd(until, untilBy),
  };
}

function describeEnd(at: string | null, by: readonly Voucher[]): string {
  if (at === null) return "- (nobody vouches for this end: it is the operator's word)";
  if (by.length === 0) return `${at} (the operator's word)`;
  return `${at} (${by.map(({ kind, name }) => `${kind} ${name}`).join(', ')})`;
}
