import type { LedgerCheckProgress } from '@answer-evidence/contracts';
import type { TrustDeps } from '@answer-evidence/stage-trust';

type Running = {
  readonly report: ReturnType<TrustDeps['checkLedger']>;
  readonly listeners: Set<(progress: LedgerCheckProgress) => void>;
};

/**
 * One check of a workspace at a time: anyone who asks meanwhile gets its report, which says how far it went, and is
 * told of its progress from then on.
 */
export function shareChecks(check: TrustDeps['checkLedger']): TrustDeps['checkLedger'] {
  const running = new Map<string, Running>();
  return (workspace, onProgress) => {
    const joined = running.get(workspace.id) ?? start();
    if (onProgress !== undefined) joined.listeners.add(onProgress);
    return joined.report;

    function start(): Running {
      const listeners: Running['listeners'] = new Set();
      const report = check(workspace, (progress) => {
        for (const listener of listeners) listener(progress);
      }).finally(() => running.delete(workspace.id));
      const begun = { report, listeners };
      running.set(workspace.id, begun);
      return begun;
    }
  };
}
