import { type AppendCommand, createEvidenceExpiryCommand } from '@answer-evidence/ledger';
import { retentionEnd } from '@answer-evidence/lifecycle';
import { type AssetHolding, findHoldOfAsset, mayEraseByTime, newId, newNonce } from '@answer-evidence/ports';
import type { EvidenceDeps } from '../deps.ts';

/** Nothing of the asset is to expire now: something holds it for longer, or another process was faster. */
export class NothingDueError extends Error {
  override readonly name = 'NothingDueError';
}

/** Until when an asset is kept, in microseconds: for as long as itself and every record that binds or links it. */
export function keptUntil({ retentionUntil, extensions }: AssetHolding): number {
  return retentionEnd(
    retentionUntil,
    extensions.map((payload) => ({ event_type: 'retention_extended', payload })),
  );
}

/** The expiry of whatever is kept of an asset, as it is now. Throws `NothingDueError`. */
export async function prepareExpiry(
  deps: Pick<EvidenceDeps, 'evidence' | 'evidenceErasures' | 'holds' | 'clock' | 'clockGuard' | 'random'>,
  workspaceId: string,
  assetId: string,
): Promise<AppendCommand> {
  // In this order: an erasure after the first read makes the number of erasures wrong, one before it leaves nothing for
  // the second to find.
  const stored = await deps.evidence.find(workspaceId, assetId);
  const holding = await deps.evidenceErasures.findHolding(workspaceId, assetId);
  const now = deps.clock.nowMicros();
  if (holding === undefined || stored === undefined || !holding.isErasable || keptUntil(holding) >= now)
    throw new NothingDueError('nothing is due');
  // After what holds the asset was counted: what refers to it later makes that number wrong.
  const { holds, placed } = await deps.holds.inForce(workspaceId);
  if ((await findHoldOfAsset(deps.holds, workspaceId, holds, assetId)) !== undefined)
    throw new NothingDueError('a hold covers a record that refers to it');
  // After the time was read: a clock that steps later is judged by the next sweep.
  if (!mayEraseByTime(deps.clockGuard)) throw new NothingDueError('the clock is implausible');
  return createEvidenceExpiryCommand(
    {
      assetId,
      atErasures: stored.redactions.length + stored.expiries.length,
      segments: null,
      detailsOf: null,
      details: null,
      purge: { id: newId(deps), created_at: now, due_at: now },
      row: {
        asset_id: assetId,
        id: newId(deps),
        nonce: newNonce(deps),
        retained_until: keptUntil(holding),
      },
    },
    holding.holders,
    placed,
  );
}
