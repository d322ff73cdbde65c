import { createExpirySweep, type Ticker } from '@answer-evidence/ports';
import type { ReconcileDeps } from '../deps.ts';

/** Erases the texts of triage whose retention has passed. Nothing holds them for longer. */
export function expireTriageTicker(deps: ReconcileDeps): Ticker {
  return createExpirySweep(deps, {
    what: 'triage',
    store: deps.triage,
    postpone: () => [],
    settle: (workspaceId, due) => [deps.triage.erase(workspaceId, due)],
  });
}
