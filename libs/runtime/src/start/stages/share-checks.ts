import type { TrustDeps } from '@answer-evidence/stage-trust';

/** One check of a workspace at a time: anyone who asks meanwhile gets its report, which says how far it went. */
export function shareChecks(check: TrustDeps['checkLedger']): TrustDeps['checkLedger'] {
  const running = new Map<string, ReturnType<typeof check>>();
  return (workspace) => {
    const before = running.get(workspace.id);
    if (before !== undefined) return before;
    const checking = check(workspace).finally(() => running.delete(workspace.id));
    running.set(workspace.id, checking);
    return checking;
  };
}
