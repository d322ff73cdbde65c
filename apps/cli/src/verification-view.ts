import type { Verification } from '@answer-evidence/contracts';
import { describeWindow } from '@answer-evidence/verify';
import { asChecks, asFields, type Block } from './output/blocks.ts';

/**
 * A verification for people: what it speaks of, then every check, or of a summary those that are FAIL or SKIP. `pins`
 * are the keys that it was made with.
 */
export function viewVerification(
  verification: Verification,
  pins: readonly string[] | undefined,
  isSummary: boolean | undefined,
): readonly Block[] {
  const { checkpoint, status_as_of: asOf } = verification;
  const { stated, after, notLaterThan } = describeWindow(verification.sequenced);
  const fields = asFields([
    ['record', verification.answer_log_id],
    ['log', checkpoint?.origin ?? null],
    ['checkpoint', checkpoint === null ? null : `tree size ${checkpoint.tree_size}, root ${checkpoint.root_hash}`],
    ['anchoring', verification.anchoring],
    ['status as of', asOf === null ? null : `tree size ${asOf.tree_size}, ${asOf.at}`],
    ['recorded at', stated],
    ['sequenced after', after],
    ['and not later than', notLaterThan],
    ...(pins ?? []).map((pin) => ['pin used', pin] as const),
    ...(pins?.length === 0 ? [['pin used', 'none'] as const] : []),
  ]);
  return [fields, asChecks(verification.checks, isSummary)];
}
