import {
  type IdempotencyRow,
  recordCore,
  type RecordRow,
  type SealedRow,
  ServiceError,
} from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { AppendCommand, View, Write } from '../append-command.ts';
import { decideReplay } from './idempotent.ts';

const accessIdsSchema = recordCore.shape.evidence_access_event_ids;

/** A create, prepared under one version of the policy: the row without its place, or why the policy refuses it. */
export type PreparedRecord =
  | {
      readonly kind: 'ready';
      readonly row: Omit<RecordRow, 'leaf_index'>;
      /** Hash of the core, 32 bytes. */
      readonly hash: Uint8Array;
      readonly sealed: SealedRow | null;
    }
  | { readonly kind: 'refused'; readonly error: ServiceError };

/** Records an answer. `idempotency` is null when the caller gave no key. */
export function createRecordCommand(
  recordId: string,
  settingsVersion: number,
  idempotency: IdempotencyRow | null,
  prepared: PreparedRecord,
): AppendCommand {
  const accessIds = prepared.kind === 'ready' ? accessIdsOf(prepared.row) : [];
  return {
    subject: recordId,
    entryIds: [recordId],
    settingsVersion,
    reads: {
      ...(idempotency === null ? {} : { idempotency: { scope: idempotency.scope, key: idempotency.idempotency_key } }),
      // Only then does the command need the database: a create that binds nothing is predicted as ever.
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
      const writes: Write[] = [{ kind: 'record', row: { ...prepared.row, leaf_index: view.leafIndex } }];
      if (idempotency !== null) writes.push({ kind: 'idempotency', row: idempotency });
      if (prepared.sealed !== null) writes.push({ kind: 'seal', row: prepared.sealed });
      for (const accessId of new Set(accessIds))
        writes.push({ kind: 'evidence_binding', row: { access_id: accessId, record_id: recordId } });
      return {
        kind: 'append',
        entries: [{ type: 'answer_recorded', id: recordId, subject: recordId, seq: 0, hash: prepared.hash }],
        writes,
      };
    },
  };
}

/** The accesses that a record's core names. */
function accessIdsOf({ evidence_access_event_ids_json: json }: Omit<RecordRow, 'leaf_index'>): readonly string[] {
  return json === '[]' ? [] : accessIdsSchema.parse(parseJsonText(json));
}

/** Why accesses cannot be bound, all of them named; one of another application looks like one that is not there. */
function findUnbound(view: View, applicationKey: string, accessIds: readonly string[]): ServiceError | undefined {
  const errors = accessIds.flatMap((accessId, n) => {
    const access = view.findAccess(accessId);
    const pointer = `/evidence_access_event_ids/${n}`;
    if (access?.applicationKey !== applicationKey)
      return [{ pointer, detail: 'no such access event of this application' }];
    return access.erased ? [{ pointer, detail: 'what was accessed is gone since' }] : [];
  });
  if (errors.length === 0) return undefined;
  return new ServiceError('access_event_not_found', 'an access event cannot be bound', { errors });
}

function sizeOf(row: Omit<RecordRow, 'leaf_index'>, sealed: SealedRow | null): number {
  const refs = row.semantic_refs_json.length + row.source_refs_json.length + row.evidence_access_event_ids_json.length;
  return 1_000 + refs + (sealed?.texts?.length ?? 0) + (sealed?.items?.length ?? 0);
}
