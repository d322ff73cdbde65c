import { type ReconciliationProof, reconciliationProof } from '@answer-evidence/contracts';
import { isTimestamp } from '@answer-evidence/encoding';
import { BundleFormatError } from '../bundle-format.ts';

/** A proof of the format, or where it departs from it. */
export type ReadProof =
  | { readonly kind: 'proof'; readonly proof: ReconciliationProof }
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * Reads the proof of a run. Throws `BundleFormatError` unless it is an object that names the format; one that does, and
 * is not of it, is returned with the reason, because a proof that was damaged must fail its checks and not escape them.
 */
export function readReconciliationProof(value: unknown): ReadProof {
  if (typeof value !== 'object' || value === null || !('format' in value)) {
    throw new BundleFormatError('this is not the proof of a reconciliation');
  }
  if (value.format !== 'answer-evidence-reconciliation/v1') {
    throw new BundleFormatError('the format of the proof is not answer-evidence-reconciliation/v1');
  }
  const read = reconciliationProof.safeParse(value);
  if (read.success) {
    const { window_start: start, window_end: end, decided_at: decidedAt } = read.data.run.core;
    return [start, end, decidedAt].every(isTimestamp)
      ? { kind: 'proof', proof: read.data }
      : { kind: 'malformed', reason: 'a time of the run does not exist' };
  }
  const path = read.error.issues[0]?.path ?? [];
  const pointer = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return { kind: 'malformed', reason: `the proof does not have its format at ${pointer === '' ? 'its top' : pointer}` };
}
