import type { RecordRow } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp } from '@answer-evidence/encoding';
import type { AppendedEntry } from '@answer-evidence/ledger';
import type { Workspace } from '@answer-evidence/ports';
import type { PreparedCreate, Shape } from '@answer-evidence/preparation';

function quoted(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}

/**
 * A record that was just created, as JSON text: put together from parts that are JSON already, because this answer is on the path
 * of every create. A test holds it against `presentRecord` of the same record.
 */
export function presentCreated(
  workspace: Workspace,
  row: Omit<RecordRow, 'leaf_index'>,
  { texts, sourceRefIds }: Pick<PreparedCreate, 'texts' | 'sourceRefIds'>,
  shape: Shape,
  entry: AppendedEntry,
  quotedReceipt: string,
): string {
  // Their form allows nothing that would have to be escaped.
  const sourceRefs = shape.sourceRefs.map(({ text }, n) =>
    text === '{}' ? `{"source_ref_id":"${sourceRefIds[n]}"}` : `{"source_ref_id":"${sourceRefIds[n]}",${text.slice(1)}`,
  );
  return (
    `{"id":"${row.id}","application_key":${quoted(row.application_key)},"environment":${quoted(row.environment)}` +
    `,"idempotency_key":${quoted(row.idempotency_key)},"status":"recorded"` +
    `,"question":{"hash":"${row.question_hash}","hash_key_id":${quoted(row.question_hash_key_id)},"text":${quoted(texts.question)},"text_state":"${row.question_text_state}"}` +
    `,"answer":{"hash":"${row.answer_hash}","hash_key_id":${quoted(row.answer_hash_key_id)},"text":${quoted(texts.answer)},"text_state":"${row.answer_text_state}"}` +
    `,"semantic_refs":[${shape.semanticRefs.map(({ text }) => text).join(',')}]` +
    `,"source_refs":[${sourceRefs.join(',')}]` +
    `,"evidence_access_event_ids":${row.evidence_access_event_ids_json}` +
    `,"external_trace_id":${quoted(row.external_trace_id)},"external_message_id":${quoted(row.external_message_id)}` +
    `,"mode":${quoted(row.mode)},"actor_id_hash":${quoted(row.actor_id_hash)},"session_id_hash":${quoted(row.session_id_hash)}` +
    `,"retention_until":"${formatTimestamp(row.retention_until)}","created_at":"${formatTimestamp(entry.at)}"` +
    `,"created_by":${row.created_by_json},"trace_refs":[],"record_hash":"sha256:${formatHex(entry.hash)}"` +
    `,"erasure":null,"evidence_links":[],"ledger":{"origin":${quoted(workspace.origin)},"leaf_index":${entry.leafIndex},"leaf_hash":"${formatHex(entry.leafHash)}","entry":${quoted(entry.entry)}}` +
    `,"receipt":${quotedReceipt},"events":[]}`
  );
}
