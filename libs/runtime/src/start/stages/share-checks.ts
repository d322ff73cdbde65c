import type { LedgerCheckProgress } from '@answer-evidence/contracts';
import type { TrustDeps } from '@answer-evidence/stage-trust';

type Running = {
  readonly report: ReturnType<TrustDeps['checkLedger']>;
  readonly listeners: Set<(progress: LedgerCheckProgress) => void>;
};

/**
 * One check of a workspace at a time, from leaf 0 or from the last one. Anyone who asks meanwhile gets its report,
 * which says how far it went, and is told of its progress from then on.
 */
export function shareChecks(check: TrustDeps['checkLedger']): TrustDeps['checkLedger'] {
  const running = new Map<string, Running>();
  return (workspace, { isSince, onProgress }) => {
    const name = `${workspace.id} ${isSince}`;
    const joined = running.get(name) ?? start();
    if (onProgress !== undefined) joined.listeners.add(onProgress);
    return joined.report;

    function start(): Running {
      const listeners: Running['listeners'] = new Set();
      const tellAll = (progress: LedgerCheckProgress) => {
        for (const listener of listeners) listener(progress);
      };
      const report = check(workspace, { isSince, onProgress: tellAll }).finally(() => running.delete(name));
      const begun = { report, listeners };
      running.set(name, begun);
      return begun;
    }
  };
}
