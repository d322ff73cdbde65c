import type { Actor } from '@answer-evidence/contracts';
import { createApprovalEndCommand } from '@answer-evidence/ledger';
import type { Ticker, WorkFinder } from '@answer-evidence/ports';
import type { ApprovalDeps } from './deps.ts';
import { endOf } from './open-approval.ts';

const EXPIRE_MS = 30_000;
/** So many of one workspace, and then it is the turn of the next. */
const PIECE = 100;
const SERVICE: Actor = { kind: 'service', id: 'approvals', token_id: null };

/** Says in the log of each request that nobody decided about in time. Every process may run it. */
export function expireApprovalsTicker(
  deps: Pick<ApprovalDeps, 'approvals' | 'ledger' | 'clock' | 'random'> & {
    readonly work: Pick<WorkFinder, 'withOverdueApprovals'>;
  },
): Ticker {
  return {
    name: 'expire-approvals',
    intervalMs: EXPIRE_MS,
    work: () => [{ kind: 'overdue-approvals', micros: deps.clock.nowMicros() }],
    async run(signal) {
      const now = deps.clock.nowMicros();
      for (const { id } of await deps.work.withOverdueApprovals(now))
        for (const stored of await deps.approvals.overdue(id, now, PIECE)) {
          if (signal.aborted) return;
          const end = endOf(deps, id, stored, SERVICE);
          await deps.ledger.append(id, () => createApprovalEndCommand(end, 'expired'));
        }
    },
  };
}
