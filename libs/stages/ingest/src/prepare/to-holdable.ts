import type { HoldableRecord } from '@answer-evidence/lifecycle';
import type { ListedRecord } from '@answer-evidence/ports';

/** What of a stored record decides whether a hold covers it. */
export function toHoldable({ record, leaf }: Pick<ListedRecord, 'record' | 'leaf'>): HoldableRecord {
  return { ...record, at: leaf.at };
}
