import { RECORD_LABELS } from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp } from '@answer-evidence/encoding';
import { type AppendedEntry, retentionFrom } from '@answer-evidence/ledger';
import type { Workspace } from '@answer-evidence/ports';
import type { CheckedFields, CreateCommand } from '@answer-evidence/preparation';

/**
 * A record that was just created, as JSON text, assembled from parts that are already JSON, because every create waits
 * for this. A test compares it with `toRecordResource` of the same record.
 */
export function serializeCreated(
  workspace: Workspace,
  { record, texts, sourceRefIds }: CreateCommand,
  fields: CheckedFields,
  entry: AppendedEntry,
  quotedReceipt: string,
): string {
  const { row } = record;
  // Their form allows nothing that would have to be escaped.
  const sourceRefs = fields.sourceRefs.map(({ text }, n) =>
    text === '{}' ? `{"source_ref_id":"${sourceRefIds[n]}"}` : `{"source_ref_id":"${sourceRefIds[n]}",${text.slice(1)}`,
  );
  return (
    `{"id":"${row.id}","application_key":${canonicalize(row.application_key)},"environment":${canonicalize(row.environment)}` +
    `,"idempotency_key":${canonicalize(row.idempotency_key)},"status":"recorded"` +
    `,"question":{"hash":"${row.question_hash}","hash_key_id":${canonicalize(row.question_hash_key_id)},"text":${canonicalize(texts.question)},"text_state":"${row.question_text_state}"}` +
    `,"answer":{"hash":"${row.answer_hash}","hash_key_id":${canonicalize(row.answer_hash_key_id)},"text":${canonicalize(texts.answer)},"text_state":"${row.answer_text_state}"}` +
    `,"semantic_refs":[${fields.semanticRefs.map(({ text }) => text).join(',')}]` +
    `,"source_refs":[${sourceRefs.join(',')}]` +
    `,"evidence_access_event_ids":${row.evidence_access_event_ids_json}` +
    RECORD_LABELS.map((label) => `,"${label}":${canonicalize(row[label])}`).join('') +
    `,"retention_until":"${formatTimestamp(retentionFrom(record, entry.at))}","created_at":"${formatTimestamp(entry.at)}"` +
    `,"created_by":${row.created_by_json},"trace_refs":[],"record_hash":"sha256:${formatHex(entry.hash)}"` +
    `,"erasure":null,"evidence_links":[],"ledger":{"origin":${canonicalize(workspace.origin)},"leaf_index":${entry.leafIndex},"leaf_hash":"${formatHex(entry.leafHash)}","entry":${canonicalize(entry.entry)}}` +
    `,"receipt":${quotedReceipt},"events":[]}`
  );
}
