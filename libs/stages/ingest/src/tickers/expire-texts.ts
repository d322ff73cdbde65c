import { type DueContents, findSweepHold, mayEraseByTime, type Ticker } from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { NothingDueError, prepareExpiry, readRetentionEnd } from '../prepare/prepare-expiry.ts';

const INTERVAL_MS = 30_000;
/** How many contents are looked at before the next are asked for; what expires of them shares a transaction. */
const CONTENTS_MAX = 100;

/**
 * Expires texts and items whose retention has passed. Every process may run it: what is due is only where to look, and
 * the lock of the log decides, so that nothing expires twice and an extension that comes just before wins. A record
 * that cannot be expired holds up no other, and neither does a workspace. While the clock is implausible nothing
 * expires, and neither does more at once than an operator has to confirm.
 */
export function expireTextsTicker(deps: IngestDeps): Ticker {
  return {
    name: 'expire-texts',
    intervalMs: INTERVAL_MS,
    async run(signal) {
      const failures: unknown[] = [];
      for (const workspace of await deps.directory.list()) {
        try {
          await sweep(deps, workspace.id, signal, failures);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function sweep(deps: IngestDeps, workspaceId: string, signal: AbortSignal, failures: unknown[]): Promise<void> {
  const begun = deps.clock.nowMicros();
  if (!mayEraseByTime(deps.clockGuard)) return;
  const found = () => findSweepHold(deps.logs, deps.retention, workspaceId, begun);
  let hold = await found();
  // Contents whose retention was extended are looked at as if they were due. They are put off before they count.
  if (hold !== undefined && deps.sweepHolds.get(`texts ${workspaceId}`)?.due !== hold.due) {
    await goThrough(deps, workspaceId, begun, signal, failures, postponeExtended);
    hold = await found();
  }
  if (hold === undefined) {
    deps.sweepHolds.delete(`texts ${workspaceId}`);
    await goThrough(deps, workspaceId, begun, signal, failures, settle);
  } else deps.sweepHolds.set(`texts ${workspaceId}`, hold);
}

type Settle = typeof settle;

async function goThrough(
  deps: IngestDeps,
  workspaceId: string,
  begun: number,
  signal: AbortSignal,
  failures: unknown[],
  settleOne: Settle,
): Promise<void> {
  let last: DueContents | undefined;
  do {
    if (signal.aborted) return;
    const due = await deps.retention.findDue(workspaceId, begun, last, CONTENTS_MAX);
    const records = Map.groupBy(due, ({ recordId }) => recordId);
    const settled = await Promise.allSettled(
      [...records].map(([recordId, contents]) => settleOne(deps, workspaceId, recordId, contents)),
    );
    for (const result of settled) if (result.status === 'rejected') failures.push(result.reason);
    last = due.length < CONTENTS_MAX ? undefined : due.at(-1);
  } while (last !== undefined);
}

/** Puts off contents that were extended since they were sealed; returns whether there is anything to expire. */
async function postponeExtended(
  deps: IngestDeps,
  workspaceId: string,
  recordId: string,
  contents: readonly DueContents[],
): Promise<boolean> {
  const stored = await deps.records.find(workspaceId, recordId);
  if (stored === undefined) return false;
  const end = readRetentionEnd(stored);
  if (end < deps.clock.nowMicros()) return true;
  // The end never comes nearer, so they cannot be looked at too late.
  for (const { objectId } of contents) await deps.retention.postpone(workspaceId, objectId, end);
  return false;
}

async function settle(
  deps: IngestDeps,
  workspaceId: string,
  recordId: string,
  contents: readonly DueContents[],
): Promise<boolean> {
  if (!(await postponeExtended(deps, workspaceId, recordId, contents))) return false;
  try {
    await deps.ledger.append(workspaceId, () => prepareExpiry(deps, workspaceId, recordId));
  } catch (error) {
    if (!(error instanceof NothingDueError)) throw error;
  }
  return true;
}
