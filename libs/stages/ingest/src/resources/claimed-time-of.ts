import { findClaimedTime } from '@answer-evidence/contracts';
import { readDateTime } from '@answer-evidence/encoding';
import type { RecordItems } from '@answer-evidence/tables';

/** The time, in microseconds, at which the items of an imported record claim that its answer was given. */
export function claimedTimeOf(items: RecordItems | null): number | undefined {
  const refs = items?.semantic_refs.flatMap((one) => (one === null ? [] : [one.item])) ?? [];
  const claimed = refs.length === 0 ? undefined : findClaimedTime(refs);
  const read = claimed === undefined ? undefined : readDateTime(claimed);
  return read !== undefined && 'micros' in read ? read.micros : undefined;
}
