import type { StreamDestination } from '@answer-evidence/contracts';
import type { StoredPlace, StreamLease, Workspace } from '@answer-evidence/ports';
import type { StreamDeps } from './deps.ts';
import { DESTINATION_DAMAGED, openOrUndefined } from './seal-destination.ts';
import { SEND_TIMEOUT_MS, sendBatch } from './send-batch.ts';
import { writeBatch } from './write-batch.ts';

/** Longer than an attempt takes with what is read before it and noted after it. */
const LEASE_MICROS = (SEND_TIMEOUT_MS + 10_000) * 1_000;
/** So many batches of one stream, and then it is the turn of others. */
const BATCHES_MAX = 40;
/** Pauses after the first, second, … failure, in seconds; the last one from then on. */
const PAUSES_SECONDS = [5, 15, 30, 60, 120, 300] as const;

/** How much goes at once, in entries and bytes: collectors take a megabyte, and an object should be worth one. */
const SIZES: Readonly<Record<StreamDestination['type'], { readonly entries: number; readonly bytes: number }>> = {
  https: { entries: 500, bytes: 900_000 },
  syslog: { entries: 500, bytes: 900_000 },
  s3: { entries: 2_000, bytes: 8_000_000 },
};

/**
 * Sends what a stream has still to send, in the order of the log. At least once: it moves on after the destination has
 * confirmed, and what was confirmed and not noted when the process died is sent again.
 */
export async function feedStream(
  deps: StreamDeps,
  workspace: Workspace,
  streamId: string,
  signal: AbortSignal,
): Promise<void> {
  const leaseEnd = () => deps.clock.nowMicros() + LEASE_MICROS;
  let lease = await deps.streams.lease(workspace.id, streamId, leaseEnd());
  if (lease === undefined) return;
  let dueAt = 0;
  let isLeased = true;
  try {
    const destination = openOrUndefined(workspace, lease.row);
    if (destination === undefined) {
      isLeased = false;
      return await noteFailure(deps, workspace, lease, { error: DESTINATION_DAMAGED, goesBack: false });
    }
    for (let sent = 0; sent < BATCHES_MAX && !signal.aborted; sent++) {
      const { entries, bytes: bytesMax } = SIZES[destination.type];
      const places = await deps.streams.readPlaces(workspace.id, lease.treeSize, entries);
      const nowMicros = deps.clock.nowMicros();
      const { format, include_reasons: includeReasons } = lease.row;
      const batch = writeBatch(workspace, places, { format, includeReasons, nowMicros, bytesMax });
      const isFull = places.length === entries || batch.events.length < places.length;
      dueAt = isFull ? 0 : waitsUntil(destination, places, nowMicros);
      if (batch.events.length === 0 || dueAt > nowMicros) return;
      const { events } = batch;
      const { hostName } = deps;
      const error = await sendBatch(deps, destination, { streamId, events, hostName, nowMicros, signal });
      if (error !== undefined) {
        // That the process stops says nothing of the destination.
        if (signal.aborted) return;
        isLeased = false;
        return await noteFailure(deps, workspace, lease, { error, goesBack: destination.type === 'syslog' });
      }
      const next: StreamLease | undefined = await deps.streams.confirm(workspace.id, lease, batch.to, leaseEnd());
      if (next === undefined) {
        isLeased = false;
        return;
      }
      lease = next;
    }
  } finally {
    if (isLeased) await deps.streams.release(workspace.id, lease, dueAt);
  }
}

/** An object is written once its first entry has waited for so long; everything else at once. */
function waitsUntil(destination: StreamDestination, places: readonly StoredPlace[], nowMicros: number): number {
  if (destination.type !== 's3') return 0;
  const waitMicros = destination.every_seconds * 1_000_000;
  // A time that was altered, or of a clock that has been set back, must not hold the entry back for longer.
  return Math.min((places[0]?.leaf?.at ?? 0) + waitMicros, nowMicros + waitMicros);
}

function noteFailure(
  { streams, clock, random }: StreamDeps,
  workspace: Workspace,
  lease: StreamLease,
  failure: { readonly error: string; readonly goesBack: boolean },
): Promise<void> {
  const seconds = PAUSES_SECONDS[Math.min(lease.failures, PAUSES_SECONDS.length - 1)] ?? 0;
  // Spread over the upper half of the pause, so that what failed together does not come again together.
  const chance = (random.bytes(1)[0] ?? 0) / 256;
  const pausedUntil = clock.nowMicros() + Math.round(seconds * (0.5 + chance / 2) * 1_000_000);
  return streams.noteFailure(workspace.id, lease, { ...failure, pausedUntil });
}
