import type { BundleContext } from '../bundle-context.ts';
import { CheckFailure, notApplicable, pass, skip, type Verdict } from '../verdict.ts';

/**
 * What the newest run of reconciliation found about the record. The run used a list of the caller, so a finding is no
 * fault of the record unless it says that the record is duplicated or that its hashes differ from the list.
 */
export function checkReconciliation({ options }: BundleContext): Verdict {
  const { reconciliation: run } = options;
  if (run === undefined)
    return notApplicable('no reconciliation run is available; it needs a list that only the caller has');
  if (run === null) return skip('no completed reconciliation run covers the record');
  if ('damage' in run) throw new CheckFailure(`what a reconciliation run found cannot be trusted: ${run.damage}`);
  const name = `the run ${run.runId} over the first ${run.treeSize} leaves`;
  for (const finding of run.findings) {
    if (finding.type === 'duplicate_service') throw new CheckFailure(`${name} found a duplicate of the record`);
    if (finding.type !== 'missing_service' || finding.detail.reason !== 'hash_mismatch') continue;
    throw new CheckFailure(
      `${name} found different hashes of ${finding.detail.fields.join(' and ')} in the caller’s list`,
    );
  }
  const types = [...new Set(run.findings.map(({ type }) => type))];
  if (types.length > 0) return skip(`${name} found about the record: ${types.join(', ')}`);
  return pass(`${name} found nothing about the record`);
}
