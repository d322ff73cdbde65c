import { type ProblemError, ServiceError } from '@answer-evidence/contracts';
import type { PreparedEvent, PreparedEvidenceRedaction } from '@answer-evidence/ledger';
import { holdsOver, type PlacedHold } from '@answer-evidence/lifecycle';
import {
  type EvidenceErasureStore,
  findHoldOfAsset,
  type HoldsInForce,
  type HoldStore,
  type StoredRecord,
} from '@answer-evidence/ports';
import type { EventPayload } from './event-payload.ts';
import { toHoldable } from './to-holdable.ts';

/** Whether a refusal names the matters of holds, or a redaction is made whatever is held. */
export type HoldManner = 'named' | 'unnamed' | 'ignored';

/** What is read of holds for a redaction. */
export type HoldDeps = {
  readonly holds: HoldStore;
  readonly evidenceErasures: Pick<EvidenceErasureStore, 'findHolding'>;
};

type Erasure = NonNullable<PreparedEvent['erasure']>;

/** Throws `record_on_hold` if a hold covers the record. */
export function assertNotHeld({ holds }: HoldsInForce, manner: HoldManner, stored: StoredRecord): void {
  const covering = holdsOver(holds, [toHoldable(stored)]);
  if (covering.length > 0) throw onHold(covering, manner, 'the record is', []);
}

/**
 * What holds the evidence that a redaction takes too, asset by asset; nothing if nothing is held in the workspace.
 * Throws `record_on_hold` if a hold covers another record that refers to it.
 */
export async function assertEvidenceNotHeld(
  deps: HoldDeps,
  workspaceId: string,
  { holds }: HoldsInForce,
  manner: HoldManner,
  evidence: readonly PreparedEvidenceRedaction[],
  payload: EventPayload,
): Promise<NonNullable<Erasure['atHolders']>> {
  if (holds.length === 0) return [];
  const atHolders = [];
  for (const { assetId } of evidence) {
    // Counted first: what comes to refer to it later makes the number wrong.
    const holding = await deps.evidenceErasures.findHolding(workspaceId, assetId);
    const found = await findHoldOfAsset(deps.holds, workspaceId, holds, assetId);
    if (found !== undefined) {
      const named = payload.redactSourceRefIds ?? [];
      const detail = `evidence asset ${assetId} belongs to a record on hold; leave out the source refs that it issued`;
      const pointers = named.length === 1 ? ['/payload/redact_source_ref_ids/0'] : ['/payload/redact_source_ref_ids'];
      throw onHold(
        [found],
        manner,
        'evidence that the redaction takes is',
        pointers.map((pointer) => ({ pointer, detail })),
      );
    }
    atHolders.push({ assetId, holders: holding?.holders ?? 0 });
  }
  return atHolders;
}

function onHold(
  covering: readonly PlacedHold[],
  manner: HoldManner,
  what: string,
  errors: readonly ProblemError[],
): ServiceError {
  const matters = [...new Set(covering.map(({ matter }) => matter))];
  const named = matters.map((matter) => `“${matter}”`).join(', ');
  const whom = manner === 'named' ? ` for ${named}` : '';
  return new ServiceError(
    'record_on_hold',
    `${what} on hold${whom}; ask a manager to release ${covering.length === 1 ? 'the hold' : 'these holds'} first`,
    { errors },
  );
}
