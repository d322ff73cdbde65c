import {
  type AssetHolding,
  createExpirySweep,
  findHoldOfAsset,
  type HoldsInForce,
  type Ticker,
} from '@answer-evidence/ports';
import type { EvidenceDeps } from '../deps.ts';
import { keptUntil, NothingDueError, prepareExpiry } from '../prepare/prepare-expiry.ts';

/** When an asset of which nothing is left is looked at again: an access may have brought a purpose since. */
const NOTHING_LEFT_MICROS = 30 * 86_400_000_000;

/** Expires evidence whose retention has passed, and that of every record that binds or links it. */
export function expireEvidenceTicker(deps: EvidenceDeps): Ticker {
  return createExpirySweep(deps, {
    what: 'evidence',
    store: deps.evidenceErasures,
    holding: {
      holds: deps.holds,
      contents: deps.evidenceErasures,
      find: (workspaceId, inForce, due) => findHeld(deps, workspaceId, inForce, due),
      idOf: ({ assetId }) => assetId,
    },
    postpone: (id, due) => due.map(({ assetId }) => postponeHeld(deps, id, assetId)),
    settle: (id, due) => due.map(({ assetId }) => settle(deps, id, assetId)),
  });
}

/** Those of the assets that a held record refers to. */
async function findHeld<Due extends { readonly assetId: string }>(
  deps: EvidenceDeps,
  workspaceId: string,
  { holds }: HoldsInForce,
  due: readonly Due[],
): Promise<ReadonlySet<Due>> {
  const held = new Set<Due>();
  for (const asset of due)
    if ((await findHoldOfAsset(deps.holds, workspaceId, holds, asset.assetId)) !== undefined) held.add(asset);
  return held;
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
