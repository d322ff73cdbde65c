import { hashCoreText } from '@answer-evidence/commitments';
import { recordCore, ServiceError } from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import { refuseRetention } from '@answer-evidence/lifecycle';
import {
  type IdempotencyRow,
  type RecordRow,
  RECORDS,
  type SealedRow,
  type UnplacedRecord,
} from '@answer-evidence/tables';
import type { AppendCommand, Decision, LogState, Write } from '../append-command.ts';
import { formatCore } from '../stored-cores.ts';
import { decideReplay, formatKeyClaim, type IdempotencyClaim, readsOf } from './idempotent.ts';

const accessIdsSchema = recordCore.shape.evidence_access_event_ids;

/** A create, prepared under one version of the settings: the row without its place, or why they refuse it. */
export type PreparedRecord = ReadyRecord | { readonly kind: 'refused'; readonly error: ServiceError };

/** A record without its place. */
export type ReadyRecord = {
  readonly kind: 'ready';
  readonly row: UnplacedRecord;
  readonly sealed: SealedRow | null;
  /** When its items claim that the answer was given, in microseconds. */
  readonly answeredAt?: number | undefined;
} & (
  | {
      /** Hash of the core, 32 bytes. */
      readonly hash: Uint8Array;
      /**
       * How many days the workspace keeps a record at least, where the caller named the retention of the row, so that
       * it has to be judged by the time of the entry.
       */
      readonly floorDays?: number;
      readonly keptForMicros?: undefined;
    }
  | {
      /** Only the time of the entry completes the core. */
      readonly hash: null;
      readonly floorDays?: undefined;
      /** How long it is kept, counted from the time of its entry; what the row says of its retention does not count. */
      readonly keptForMicros: number;
    }
);

/** Until when a record is kept whose entry has this time, in microseconds. */
export function retentionFrom({ row, keptForMicros }: ReadyRecord, at: number): number {
  return keptForMicros === undefined ? row.retention_until : at + keptForMicros;
}

/** Records an answer. `idempotency` is null when the caller gave no key. */
export function createRecordCommand(
  recordId: string,
  settingsVersion: number,
  idempotency: IdempotencyClaim | null,
  prepared: PreparedRecord,
): AppendCommand {
  const accessIds = prepared.kind === 'ready' ? accessIdsOf(prepared.row) : [];
  return {
    subject: recordId,
    entryIds: [recordId],
    settingsVersion,
    reads: {
      ...readsOf(idempotency),
      // Only then does the command need the database: a create that binds nothing is committed optimistically as ever.
      ...(accessIds.length > 0 ? { accessIds } : {}),
    },
    sizeBytes: prepared.kind === 'ready' ? sizeOf(prepared.row, prepared.sealed) : 0,
    decide(view) {
      const replay = decideReplay(view, idempotency);
      if (replay !== undefined) return replay;
      if (view.settings.version !== settingsVersion) return { kind: 'reprepare' };
      if (prepared.kind === 'refused') return { kind: 'refuse', error: prepared.error };
      const unbound = findUnbound(view, prepared.row.application_key, accessIds);
      if (unbound !== undefined) return { kind: 'refuse', error: unbound };
      if (prepared.floorDays !== undefined) {
        const { row, floorDays } = prepared;
        const untimely = refuseRetention(row.retention_until, view.at, '/retention_until', floorDays);
        if (untimely !== undefined) return { kind: 'refuse', error: untimely };
      }
      return appendAtNextLeaf(view, prepared, idempotency?.row, accessIds);
    },
  };
}

/**
 * Records an answer that was accepted, under settings that were in force then: nothing refuses it any more. With their
 * version it has to be prepared again when they no longer are. A key that was used before is a replay of whatever it
 * made, equal or not; by the id the caller sees whether it was this one. So is a call of which there is a record.
 */
export function createAcceptedRecordCommand(
  idempotency: IdempotencyRow,
  prepared: ReadyRecord,
  settingsVersion: number | null,
  call: Uint8Array | null = null,
): AppendCommand {
  const { scope, idempotency_key: key } = idempotency;
  const callId = call === null ? undefined : formatHex(call);
  return {
    subject: prepared.row.id,
    entryIds: [prepared.row.id],
    settingsVersion,
    reads: { idempotency: { scope, key }, call: callId },
    sizeBytes: sizeOf(prepared.row, prepared.sealed),
    decide(view) {
      const found = view.findIdempotency(scope, key);
      if (found !== undefined) return { kind: 'replay', objectId: found.objectId };
      const recordOfCall = callId === undefined ? undefined : view.findCall(callId);
      if (recordOfCall !== undefined) return { kind: 'replay', objectId: recordOfCall };
      if (settingsVersion !== null && view.settings.version !== settingsVersion) return { kind: 'reprepare' };
      const decision = appendAtNextLeaf(view, prepared, idempotency, []);
      if (call === null || decision.kind !== 'append') return decision;
      const row = { call, record_id: prepared.row.id, recorded_at: view.at };
      return { ...decision, writes: [...decision.writes, { kind: 'insert', table: 'otlp_calls', row }] };
    },
  };
}

function appendAtNextLeaf(
  view: LogState,
  prepared: ReadyRecord,
  idempotency: IdempotencyRow | undefined,
  accessIds: readonly string[],
): Decision {
  const { row, hash, sealed } = place(prepared, view, idempotency);
  const writes: Write[] = [{ kind: 'insert', table: 'answer_records', row }];
  if (sealed !== null) writes.push({ kind: 'insert', table: 'sealed_contents', row: sealed });
  if (prepared.answeredAt !== undefined) {
    const { id, application_key, leaf_index } = row;
    const claim = { record_id: id, leaf_index, application_key, answered_at: prepared.answeredAt };
    writes.push({ kind: 'insert', table: 'answered_claims', row: claim });
  }
  const bound = accessIds.length === 0 ? accessIds : new Set(accessIds);
  for (const accessId of bound)
    writes.push({ kind: 'insert', table: 'evidence_bindings', row: { access_id: accessId, record_id: row.id } });
  return {
    kind: 'append',
    entries: [{ type: 'answer_recorded', id: row.id, subject: row.id, seq: 0, hash }],
    writes,
  };
}

/**
 * The record as an entry of this place and time has it. The time is decided under the lock of the head and never goes
 * back, so a retention that counts from it ends after it, whatever a clock said before.
 */
function place(prepared: ReadyRecord, { at, leafIndex }: LogState, idempotency: IdempotencyRow | undefined) {
  const until = retentionFrom(prepared, at);
  const claim = idempotency === undefined ? null : formatKeyClaim(idempotency);
  const row: RecordRow = { ...prepared.row, retention_until: until, leaf_index: leafIndex, key_claim: claim };
  if (prepared.keptForMicros === undefined) return { row, hash: prepared.hash, sealed: prepared.sealed };
  return {
    row,
    hash: hashCoreText('answer_recorded', formatCore(RECORDS, row)),
    sealed: prepared.sealed && { ...prepared.sealed, due_at: until },
  };
}

/** The accesses that a record's core names. */
function accessIdsOf({ evidence_access_event_ids_json: json }: UnplacedRecord): readonly string[] {
  return json === '[]' ? [] : accessIdsSchema.parse(parseJsonText(json));
}

/** Why accesses cannot be bound, all of them named; one of another application looks like one that is not there. */
function findUnbound(view: LogState, applicationKey: string, accessIds: readonly string[]): ServiceError | undefined {
  const errors = accessIds.flatMap((accessId, n) => {
    const access = view.findAccess(accessId);
    const pointer = `/evidence_access_event_ids/${n}`;
    if (access?.applicationKey !== applicationKey)
      return [
        {
          pointer,
          detail: 'must be an access event of this application; take the id from the response of a retrieval',
        },
      ];
    return access.erased
      ? [{ pointer, detail: 'must be an access event whose content exists; this one was erased since' }]
      : [];
  });
  if (errors.length === 0) return undefined;
  return new ServiceError('access_event_not_found', 'an access event cannot be bound', { errors });
}

function sizeOf(row: UnplacedRecord, sealed: SealedRow | null): number {
  const refs = row.semantic_refs_json.length + row.source_refs_json.length + row.evidence_access_event_ids_json.length;
  return 1_000 + refs + (sealed?.texts?.length ?? 0) + (sealed?.items?.length ?? 0);
}
