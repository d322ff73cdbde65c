import { formatEntry } from '@answer-evidence/commitments';
import { actor, type TraceRef } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import type { TraceAttachmentRow, WithLeaf } from '@answer-evidence/tables';

/** An attached trace as its record shows it. */
export function toTraceResource({ row: trace, leaf }: WithLeaf<TraceAttachmentRow>): TraceRef {
  return {
    id: trace.id,
    signal: trace.signal,
    trace_id: trace.trace_id,
    span_id: trace.span_id,
    started_at: trace.started_at === null ? null : formatTimestamp(trace.started_at),
    commitments: trace.commitments,
    attached_by: actor.parse(parseJsonText(trace.actor_json)),
    attached_at: formatTimestamp(leaf.at),
    ledger: { leaf_index: leaf.leaf_index, leaf_hash: formatHex(leaf.leaf_hash), entry: formatEntry(leaf) },
  };
}
