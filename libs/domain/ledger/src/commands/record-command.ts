import type { IdempotencyRow, RecordRow, SealedRow, ServiceError } from '@answer-evidence/contracts';
import type { AppendCommand, Write } from '../append-command.ts';
import { decideReplay } from './idempotent.ts';

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
  return {
    subject: recordId,
    entryIds: [recordId],
    settingsVersion,
    reads: idempotency === null ? {} : { idempotency: { scope: idempotency.scope, key: idempotency.idempotency_key } },
    sizeBytes: prepared.kind === 'ready' ? sizeOf(prepared.row, prepared.sealed) : 0,
    decide(view) {
      const replay = decideReplay(view, idempotency);
      if (replay !== undefined) return replay;
      if (view.settings.version !== settingsVersion) return { kind: 'reprepare' };
      if (prepared.kind === 'refused') return { kind: 'refuse', error: prepared.error };
      const writes: Write[] = [{ kind: 'record', row: { ...prepared.row, leaf_index: view.leafIndex } }];
      if (idempotency !== null) writes.push({ kind: 'idempotency', row: idempotency });
      if (prepared.sealed !== null) writes.push({ kind: 'seal', row: prepared.sealed });
      return {
        kind: 'append',
        entries: [{ type: 'answer_recorded', id: recordId, subject: recordId, seq: 0, hash: prepared.hash }],
        writes,
      };
    },
  };
}

function sizeOf(row: Omit<RecordRow, 'leaf_index'>, sealed: SealedRow | null): number {
  const refs = row.semantic_refs_json.length + row.source_refs_json.length + row.evidence_access_event_ids_json.length;
  return 1_000 + refs + (sealed?.texts?.length ?? 0) + (sealed?.items?.length ?? 0);
}
