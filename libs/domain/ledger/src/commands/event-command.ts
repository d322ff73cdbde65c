import { hashCoreText } from '@answer-evidence/commitments';
import { ServiceError } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { eventsTakenBy, nextStatus, refuseRetention } from '@answer-evidence/lifecycle';
import { type EventRow, EVENTS, type SealedRow } from '@answer-evidence/tables';
import type { AppendCommand, Write } from '../append-command.ts';
import { coreOf } from '../stored-cores.ts';
import { decideEvidenceRedactions, type PreparedEvidenceRedaction } from './evidence-erasure.ts';
import { decideReplay, type IdempotencyClaim, readsOf } from './idempotent.ts';

/** A lifecycle event without what only the lock can tell: its sequence and the hash before it. */
export type PreparedEvent = {
  readonly row: Omit<EventRow, 'sequence' | 'prev_event_hash'>;
  readonly sealed: SealedRow | null;
  /** How many events of the record its sender has seen; null: they do not say. */
  readonly seen?: number | null;
  /** The end to which it extends the retention, in microseconds; null: it extends nothing. */
  readonly retainUntil?: number | null;
  /**
   * What a redaction does to the sealed contents of the record and its corrections, prepared when the record had
   * `atSequence` events and `atExpiries` expiries; null for every other event.
   */
  readonly erasure: {
    readonly atSequence: number;
    readonly atExpiries: number;
    /** How many holds had been placed; null: none matters, as to a redaction that is made again after a loss. */
    readonly atHolds?: number | null;
    readonly writes: readonly Write[];
    /** Evidence that goes too, found by the accesses that the record binds. */
    readonly evidence?: readonly PreparedEvidenceRedaction[];
    /** What held that evidence, asset by asset, if a hold in force could cover a record that comes to hold it too. */
    readonly atHolders?: readonly { readonly assetId: string; readonly holders: number }[];
  } | null;
};

/**
 * Appends a lifecycle event to a record. `prepared` is the event, or the reason why settings or time refuse it; that
 * applies only after the idempotency look-up and the transition table.
 */
export function createEventCommand(
  eventId: string,
  recordId: string,
  settingsVersion: number,
  idempotency: IdempotencyClaim | null,
  prepared: PreparedEvent | ServiceError,
): AppendCommand {
  const erased = prepared instanceof ServiceError ? null : prepared.erasure;
  const { evidence = [], atHolders = [], atHolds = null } = erased ?? {};
  return {
    subject: recordId,
    entryIds: [eventId, ...evidence.map(({ row }) => row.id)],
    settingsVersion,
    reads: {
      recordId,
      ...(evidence.length === 0 ? {} : { assetIds: evidence.map(({ assetId }) => assetId) }),
      ...(atHolders.length === 0 ? {} : { holdersOf: atHolders.map(({ assetId }) => assetId) }),
      ...(atHolds === null ? {} : { series: 'hold_placed' }),
      ...readsOf(idempotency),
    },
    sizeBytes: prepared instanceof ServiceError ? 0 : sizeOf(prepared),
    decide(view) {
      const replay = decideReplay(view, idempotency);
      if (replay !== undefined) return replay;
      if (view.settings.version !== settingsVersion) return { kind: 'reprepare' };
      if (prepared instanceof ServiceError) return { kind: 'refuse', error: prepared };
      const until = prepared.retainUntil ?? null;
      const untimely = until === null ? undefined : refuseRetention(until, view.at, '/payload/retain_until');
      if (untimely !== undefined) return { kind: 'refuse', error: untimely };
      const state = view.findRecord(recordId);
      if (state === undefined)
        return {
          kind: 'refuse',
          error: new ServiceError('not_found', 'no such record exists in this workspace; check its id'),
        };
      const seen = prepared.seen ?? null;
      if (seen !== null && seen !== state.sequence) return { kind: 'refuse', error: seenAnother(seen, state.sequence) };
      const status = nextStatus(state.status, prepared.row.event_type);
      if (status === null) {
        const detail = `the record is ${state.status}; send only ${eventsTakenBy(state.status).join(' or ')}`;
        return { kind: 'refuse', error: new ServiceError('transition_not_allowed', detail) };
      }
      // An event that came in between may have sealed a text that this redaction did not see, and what expired in
      // between must not be sealed again.
      const { erasure } = prepared;
      if (erasure !== null && (erasure.atSequence !== state.sequence || erasure.atExpiries !== state.expiries))
        return { kind: 'reprepare' };
      // A hold that was placed in between wins, and so does one on a record that came to refer to the evidence.
      const isHeldAnew =
        (atHolds !== null && view.lastOf('hold_placed') !== atHolds) ||
        atHolders.some(({ assetId, holders }) => view.holders(assetId) !== holders);
      if (isHeldAnew) return { kind: 'reprepare' };
      // Another redaction or an expiry of the same evidence may have come in between.
      const redacted = decideEvidenceRedactions(view, evidence);
      if (redacted === undefined) return { kind: 'reprepare' };
      const row: EventRow = { ...prepared.row, sequence: state.sequence + 1, prev_event_hash: state.lastHash };
      const hash = hashCoreText('lifecycle_event', canonicalize(coreOf(EVENTS, row)));
      const writes: Write[] = [{ kind: 'insert', table: 'lifecycle_events', row }];
      if (status !== state.status)
        writes.push({
          kind: 'replace',
          table: 'record_states',
          row: { record_id: recordId, status, ...state.listed },
        });
      if (idempotency !== null) writes.push({ kind: 'insert', table: 'idempotency_keys', row: idempotency.row });
      // One by one: a call takes its arguments from the stack, and these may be hundreds of thousands.
      if (erasure !== null) for (const write of [...erasure.writes, ...redacted.writes]) writes.push(write);
      if (prepared.sealed !== null) writes.push({ kind: 'insert', table: 'sealed_contents', row: prepared.sealed });
      return {
        kind: 'append',
        entries: [
          { type: 'lifecycle_event', id: eventId, subject: recordId, seq: row.sequence, hash },
          ...redacted.entries,
        ],
        writes,
      };
    },
  };
}

function sizeOf({ row, sealed, erasure }: PreparedEvent): number {
  let size = 2_000 + row.payload_json.length + sealedSize(sealed);
  // What a redaction leaves of a record with a long history is sealed anew with it.
  for (const write of erasure?.writes ?? [])
    size += 200 + (write.kind === 'insert' && write.table === 'sealed_contents' ? sealedSize(write.row) : 0);
  return size;
}

function sealedSize(sealed: SealedRow | null): number {
  return (sealed?.texts?.length ?? 0) + (sealed?.items?.length ?? 0);
}

function seenAnother(seen: number, sequence: number): ServiceError {
  const detail = `the record has ${sequence} events, not ${seen}; read it again, and send the number that you see`;
  return new ServiceError('version_conflict', detail, { errors: [{ pointer: '/version', detail }] });
}
