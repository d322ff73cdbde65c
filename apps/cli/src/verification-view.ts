import type { Verification } from '@answer-evidence/contracts';
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
  const { checkpoint, status_as_of: asOf, sequenced } = verification;
  const fields = asFields([
    ['record', verification.answer_log_id],
    ['log', checkpoint?.origin ?? null],
    ['checkpoint', checkpoint === null ? null : `tree size ${checkpoint.tree_size}, root ${checkpoint.root_hash}`],
    ['anchoring', verification.anchoring],
    ['status as of', asOf === null ? null : `tree size ${asOf.tree_size}, ${asOf.at}`],
    ['sequenced after', sequenced.after],
    ['and not later than', sequenced.not_later_than],
    ...(pins ?? []).map((pin) => ['pin used', pin] as const),
    ...(pins?.length === 0 ? [['pin used', 'none'] as const] : []),
  ]);
  return [fields, asChecks(verification.checks, isSummary)];
}
