import {
  actor as actorSchema,
  type AnswerRecord,
  type CommittedText,
  type JsonObject,
  knownPayload,
  recordCore,
  type RecordItems,
  type RecordSummary,
  type RecordTexts,
  type Tombstone,
} from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { formatEntry } from '@answer-evidence/ledger';
import type { ListedRecord, StoredEvent, StoredRecord, Workspace } from '@answer-evidence/ports';
import { openRecord } from '@answer-evidence/ledger';
import { presentEvent, stateOf } from './present-event.ts';

const refsOf = recordCore.pick({ semantic_refs: true, source_refs: true, evidence_access_event_ids: true });

/** A record whole, as the API returns it; `receipt` is the tlog-proof of its leaf. */
export function presentRecord(workspace: Workspace, stored: StoredRecord, receipt: string): AnswerRecord {
  const { texts, items } = openRecord(workspace.vault, stored.sealed);
  const isRedacted = stored.events.some(({ event }) => event.event_type === 'redacted');
  const summary = present(workspace, stored, items, texts, isRedacted);
  return {
    ...summary,
    question: { ...summary.question, text: texts?.question ?? null },
    answer: { ...summary.answer, text: texts?.answer ?? null },
    ledger: { ...summary.ledger, entry: formatEntry(stored.leaf) },
    receipt,
    events: stored.events.map((event) => presentEvent(workspace, event, isRedacted)),
  };
}

/** A record as lists show it. Texts are not even opened, so whether one is there is told from the events. */
export function presentSummary(workspace: Workspace, listed: ListedRecord): RecordSummary {
  const sealed = listed.sealed && { ...listed.sealed, object_id: listed.record.id, texts: null };
  const { items } = openRecord(workspace.vault, sealed);
  const isRedacted = listed.events.some(({ event }) => event.event_type === 'redacted');
  return present(workspace, listed, items, null, isRedacted);
}

function present(
  workspace: Workspace,
  { record, leaf, status, events }: ListedRecord,
  items: RecordItems | null,
  texts: RecordTexts | null,
  isRedacted: boolean,
): RecordSummary {
  const refs = refsOf.parse({
    semantic_refs: parseJsonText(record.semantic_refs_json),
    source_refs: parseJsonText(record.source_refs_json),
    evidence_access_event_ids: parseJsonText(record.evidence_access_event_ids_json),
  });
  const graves = tombstonesOf(events);
  return {
    id: record.id,
    application_key: record.application_key,
    environment: record.environment,
    idempotency_key: record.idempotency_key,
    status,
    question: commitment(
      record.question_hash,
      record.question_hash_key_id,
      record.question_text_state,
      texts?.question,
    ),
    answer: commitment(record.answer_hash, record.answer_hash_key_id, record.answer_text_state, texts?.answer),
    semantic_refs: refs.semantic_refs.flatMap((_, n): JsonObject[] => {
      const item = items?.semantic_refs[n]?.item;
      if (item !== undefined) return [item];
      return graves.semantic === undefined ? [] : [{ tombstone: graves.semantic }];
    }),
    source_refs: refs.source_refs.map(({ source_ref_id }, n): JsonObject => {
      const item = items?.source_refs[n]?.item;
      if (item !== undefined) return { source_ref_id, ...item };
      const grave = graves.sources.get(source_ref_id);
      return grave === undefined ? { source_ref_id } : { source_ref_id, tombstone: grave };
    }),
    evidence_access_event_ids: refs.evidence_access_event_ids,
    external_trace_id: record.external_trace_id,
    external_message_id: record.external_message_id,
    mode: record.mode,
    actor_id_hash: record.actor_id_hash,
    session_id_hash: record.session_id_hash,
    retention_until: formatTimestamp(record.retention_until),
    created_at: formatTimestamp(leaf.at),
    created_by: actorSchema.parse(parseJsonText(record.created_by_json)),
    trace_refs: [],
    record_hash: `sha256:${formatHex(leaf.hash)}`,
    ledger: {
      origin: workspace.origin,
      leaf_index: leaf.leaf_index,
      leaf_hash: formatHex(leaf.leaf_hash),
    },
  };

  function commitment(hash: string, keyId: string | null, state: string, text: string | null | undefined) {
    return {
      hash,
      hash_key_id: keyId,
      text_state: stateOf(state as CommittedText['text_state'], text ?? null, isRedacted),
    };
  }
}

/** Which refs were redacted, by the first event that did it. */
function tombstonesOf(events: readonly StoredEvent[]): {
  readonly semantic: Tombstone | undefined;
  readonly sources: ReadonlyMap<string, Tombstone>;
} {
  let semantic: Tombstone | undefined;
  const sources = new Map<string, Tombstone>();
  for (const { event, leaf } of events) {
    if (event.event_type !== 'redacted') continue;
    const payload = knownPayload.parse(parseJsonText(event.payload_json));
    const tombstone: Tombstone = {
      event_id: event.id,
      reason_code: payload.reason_code ?? null,
      redacted_at: formatTimestamp(leaf.at),
    };
    if (payload.redact_semantic_refs === true) semantic ??= tombstone;
    for (const id of payload.redact_source_ref_ids ?? []) if (!sources.has(id)) sources.set(id, tombstone);
  }
  return { semantic, sources };
}
