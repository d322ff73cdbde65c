import { FINDING_TYPES, type TriageCounts } from '@answer-evidence/contracts';
import type { RunWork, StoredRun } from '@answer-evidence/ports';

/** What is open of each run: of its findings, those that nobody has resolved. Null for a run without findings yet. */
export function countWork(
  groups: readonly RunWork[],
): (run: Pick<StoredRun, 'run' | 'completion'>) => TriageCounts | null {
  return ({ run, completion }) => {
    if (completion === undefined) return null;
    const all = FINDING_TYPES.reduce((total, type) => total + completion.core.counts[type], 0);
    const own = groups.find(({ runId }) => runId === run.id);
    const { assigned = 0, resolved = 0, overdue = 0 } = own ?? {};
    return { open: all - resolved, assigned, resolved, overdue };
  };
}
