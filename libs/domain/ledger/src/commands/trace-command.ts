import { hashCoreText } from '@answer-evidence/commitments';
import { ServiceError } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { type TraceAttachmentRow, TRACES } from '@answer-evidence/tables';
import type { AppendCommand } from '../append-command.ts';
import { coreOf } from '../stored-cores.ts';

/** Attaches a trace to a record, once for each span of it; again is a replay. Status and settings do not matter. */
export function createTraceCommand(row: TraceAttachmentRow): AppendCommand {
  const hash = hashCoreText('trace_attached', canonicalize(coreOf(TRACES, row)));
  return {
    subject: row.record_id,
    entryIds: [row.id],
    settingsVersion: null,
    reads: { recordId: row.record_id, trace: row },
    sizeBytes: 1_000,
    decide(view) {
      const attached = view.findTrace(row);
      if (attached !== undefined) return { kind: 'replay', objectId: attached };
      if (view.findRecord(row.record_id) === undefined)
        return {
          kind: 'refuse',
          error: new ServiceError('not_found', 'no such record exists in this workspace; check its id'),
        };
      return {
        kind: 'append',
        entries: [{ type: 'trace_attached', id: row.id, subject: row.record_id, seq: 0, hash }],
        writes: [{ kind: 'insert', table: 'trace_attachments', row }],
      };
    },
  };
}
