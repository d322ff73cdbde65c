import type { ReconciliationCheckName, ReconciliationCheckResult } from '@answer-evidence/contracts';

const BY_SETS: ReadonlySet<ReconciliationCheckName> = new Set<ReconciliationCheckName>([
  'references',
  'records',
  'record_leaves',
  'earlier_runs',
  'findings',
  'counts',
]);

/** The results of a proof that was verified without its sets: what compares with these is not decided. */
export function skipBySets(checks: readonly ReconciliationCheckResult[]): readonly ReconciliationCheckResult[] {
  // A proof that is not of its format fails everywhere.
  if (checks.every(({ outcome }) => outcome === 'FAIL')) return checks;
  return checks.map((check) =>
    BY_SETS.has(check.check) ? { ...check, outcome: 'SKIP', detail: NO_SETS, compared: null } : check,
  );
}

const NO_SETS = 'it needs your own list and the record set of the run: see `reconcile verify`';
