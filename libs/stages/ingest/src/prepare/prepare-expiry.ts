import { knownPayload } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { type AppendCommand, createExpiryCommand } from '@answer-evidence/ledger';
import { holdsOver, retentionEnd } from '@answer-evidence/lifecycle';
import { mayEraseByTime, newId, newNonce, type StoredRecord } from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { toHoldable } from './to-holdable.ts';

/** Nothing of the record is to expire now: its retention was extended, it is held, or another process was faster. */
export class NothingDueError extends Error {
  override readonly name = 'NothingDueError';
}

/** Until when the contents of a stored record are kept, in microseconds. */
export function readRetentionEnd({ record, events }: StoredRecord): number {
  return retentionEnd(
    record.retention_until,
    events.map(({ event }) => ({
      event_type: event.event_type,
      payload: knownPayload.parse(parseJsonText(event.payload_json)),
    })),
  );
}

/** The expiry of whatever is sealed of a record, as the record is now. Throws `NothingDueError`. */
export async function prepareExpiry(
  deps: Pick<IngestDeps, 'records' | 'holds' | 'clock' | 'clockGuard' | 'random'>,
  workspaceId: string,
  recordId: string,
): Promise<AppendCommand> {
  const stored = await deps.records.find(workspaceId, recordId);
  const end = stored === undefined ? Infinity : readRetentionEnd(stored);
  if (stored === undefined || end >= deps.clock.nowMicros()) throw new NothingDueError('the retention goes on');
  const inForce = await deps.holds.inForce(workspaceId);
  if (holdsOver(inForce.holds, [toHoldable(stored)]).length > 0) throw new NothingDueError('a hold covers it');
  // After the time was read: a clock that steps later is judged by the next sweep.
  if (!mayEraseByTime(deps.clockGuard)) throw new NothingDueError('the clock is implausible');
  const objectIds = [stored.sealed, ...stored.events.map(({ sealed }) => sealed)].flatMap((sealed) =>
    sealed === undefined ? [] : [sealed.object_id],
  );
  if (objectIds.length === 0) throw new NothingDueError('nothing is sealed');
  return createExpiryCommand({
    row: { record_id: recordId, id: newId(deps), nonce: newNonce(deps), retained_until: end },
    atSequence: stored.events.length,
    atExpiries: stored.attached.expiries.length,
    atHolds: inForce.placed,
    objectIds,
  });
}
