import type { AppendCommand } from '../append-command.ts';
import { decideEvidenceExpiry, type PreparedEvidenceExpiry } from './evidence-erasure.ts';

/**
 * Expires what is kept of an asset, prepared when what holds it (the records that bind or link it, and their
 * extensions) was at `atHolders`. That count only grows, so under the lock one comparison finds whatever came in
 * between and sends it back: an extension or a new answer wins, also when it comes just before. So does a hold; when
 * `atHolds` had been placed, none in force covered one of those records.
 */
export function createEvidenceExpiryCommand(
  prepared: PreparedEvidenceExpiry,
  atHolders: number,
  atHolds: number,
): AppendCommand {
  const { row, assetId } = prepared;
  return {
    subject: assetId,
    entryIds: [row.id],
    settingsVersion: null,
    reads: { assetIds: [assetId], holdersOf: assetId, series: 'hold_placed' },
    sizeBytes: 1_500,
    decide(view) {
      if (view.holders(assetId) !== atHolders) return { kind: 'reprepare' };
      if (view.lastOf('hold_placed') !== atHolds) return { kind: 'reprepare' };
      // The leaf's own time says that the retention had passed; a clock that was put back does not make it earlier.
      if (view.at <= row.retained_until) return { kind: 'reprepare' };
      const decided = decideEvidenceExpiry(view, prepared);
      return decided === undefined ? { kind: 'reprepare' } : { kind: 'append', ...decided };
    },
  };
}
