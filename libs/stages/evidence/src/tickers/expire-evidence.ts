import { type AssetHolding, type DueAsset, findSweepHold, mayEraseByTime, type Ticker } from '@answer-evidence/ports';
import type { EvidenceDeps } from '../deps.ts';
import { keptUntil, NothingDueError, prepareExpiry } from '../prepare/prepare-expiry.ts';

const INTERVAL_MS = 30_000;
/** How many assets are looked at before the next are asked for; what expires of them shares a transaction. */
const ASSETS_MAX = 100;
/** When an asset of which nothing is left is looked at again: an access may have brought a purpose since. */
const NOTHING_LEFT_MICROS = 30 * 86_400_000_000;

/**
 * Expires evidence whose retention has passed, and that of every record that binds or links it. Every process may run
 * it: what is due is only where to look, and the lock of the log decides. An asset that cannot be expired holds up no
 * other. While the clock is implausible nothing expires, and neither does more at once than an operator has to confirm.
 */
export function expireEvidenceTicker(deps: EvidenceDeps): Ticker {
  return {
    name: 'expire-evidence',
    intervalMs: INTERVAL_MS,
    async run(signal) {
      const failures: unknown[] = [];
      for (const workspace of await deps.directory.list()) await sweep(deps, workspace.id, signal, failures);
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function sweep(deps: EvidenceDeps, workspaceId: string, signal: AbortSignal, failures: unknown[]): Promise<void> {
  const begun = deps.clock.nowMicros();
  if (!mayEraseByTime(deps.clockGuard)) return;
  const found = () => findSweepHold(deps.logs, deps.evidenceErasures, workspaceId, begun);
  let hold = await found();
  // Assets that something holds for longer are looked at as if they were due. They are put off before they count.
  if (hold !== undefined && deps.sweepHolds.get(`evidence ${workspaceId}`)?.due !== hold.due) {
    await goThrough(deps, workspaceId, begun, signal, failures, postponeHeld);
    hold = await found();
  }
  if (hold === undefined) {
    deps.sweepHolds.delete(`evidence ${workspaceId}`);
    await goThrough(deps, workspaceId, begun, signal, failures, settle);
  } else deps.sweepHolds.set(`evidence ${workspaceId}`, hold);
}

async function goThrough(
  deps: EvidenceDeps,
  workspaceId: string,
  begun: number,
  signal: AbortSignal,
  failures: unknown[],
  settleOne: (deps: EvidenceDeps, workspaceId: string, assetId: string) => Promise<unknown>,
): Promise<void> {
  let last: DueAsset | undefined;
  do {
    if (signal.aborted) return;
    const due = await deps.evidenceErasures.findDue(workspaceId, begun, last, ASSETS_MAX);
    const settled = await Promise.allSettled(due.map(({ assetId }) => settleOne(deps, workspaceId, assetId)));
    for (const result of settled) if (result.status === 'rejected') failures.push(result.reason);
    last = due.length < ASSETS_MAX ? undefined : due.at(-1);
  } while (last !== undefined);
}

/** What decides about an asset whose time has come; puts off one that is held for longer since it was looked at. */
async function postponeHeld(
  deps: EvidenceDeps,
  workspaceId: string,
  assetId: string,
): Promise<AssetHolding | undefined> {
  const holding = await deps.evidenceErasures.findHolding(workspaceId, assetId);
  if (holding === undefined || keptUntil(holding) < deps.clock.nowMicros()) return holding;
  // The end never comes nearer, so it cannot be looked at too late.
  await deps.evidenceErasures.postpone(workspaceId, assetId, keptUntil(holding));
  return undefined;
}

async function settle(deps: EvidenceDeps, workspaceId: string, assetId: string): Promise<void> {
  const holding = await postponeHeld(deps, workspaceId, assetId);
  if (holding === undefined) return;
  try {
    if (holding.isErasable) await deps.ledger.append(workspaceId, () => prepareExpiry(deps, workspaceId, assetId));
  } catch (error) {
    if (!(error instanceof NothingDueError)) throw error;
    return;
  }
  await deps.evidenceErasures.postpone(workspaceId, assetId, deps.clock.nowMicros() + NOTHING_LEFT_MICROS);
}
