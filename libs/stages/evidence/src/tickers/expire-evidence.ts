import type { DueAsset, Ticker } from '@answer-evidence/ports';
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
 * other.
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
  let last: DueAsset | undefined;
  do {
    if (signal.aborted) return;
    const due = await deps.evidenceErasures.findDue(workspaceId, begun, last, ASSETS_MAX);
    const settled = await Promise.allSettled(due.map(({ assetId }) => settle(deps, workspaceId, assetId)));
    for (const result of settled) if (result.status === 'rejected') failures.push(result.reason);
    last = due.length < ASSETS_MAX ? undefined : due.at(-1);
  } while (last !== undefined);
}

async function settle(deps: EvidenceDeps, workspaceId: string, assetId: string): Promise<void> {
  const holding = await deps.evidenceErasures.findHolding(workspaceId, assetId);
  if (holding === undefined) return;
  const now = deps.clock.nowMicros();
  const end = keptUntil(holding);
  // Held for longer since it was last looked at. The end never comes nearer, so it cannot be looked at too late.
  if (end >= now) return deps.evidenceErasures.postpone(workspaceId, assetId, end);
  try {
    if (holding.isErasable) await deps.ledger.append(workspaceId, () => prepareExpiry(deps, workspaceId, assetId));
  } catch (error) {
    if (!(error instanceof NothingDueError)) throw error;
    return;
  }
  await deps.evidenceErasures.postpone(workspaceId, assetId, now + NOTHING_LEFT_MICROS);
}
