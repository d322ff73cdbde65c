import { formatEntry } from '@answer-evidence/commitments';
import {
  actor as actorSchema,
  type AnswerRecord,
  type CommittedText,
  type JsonObject,
  labelsOf,
  recordCore,
  type RecordSummary,
} from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { openRecord } from '@answer-evidence/ledger';
import {
  type ListedRecord,
  passDoor,
  type RedactedAsset,
  type StoredRecord,
  type TextDoor,
  type Workspace,
} from '@answer-evidence/ports';
import type { RecordItems } from '@answer-evidence/tables';
import { describeErasure, type Erased, erasedOf } from './erased.ts';
import { findStored, withText } from './find-stored.ts';
import { toEventResource } from './to-event-resource.ts';
import { toLinkResource } from './to-link-resource.ts';
import { toTraceResource } from './to-trace-resource.ts';

const refsOf = recordCore.pick({ semantic_refs: true, source_refs: true, evidence_access_event_ids: true });

/**
 * A whole record for the API as it leaves by `door`: `receipt` is a tlog-proof, `backupDays` how long backups last,
 * `redacted` evidence.
 */
export function toRecordResource(
  workspace: Workspace,
  whole: StoredRecord,
  door: TextDoor,
  receipt: string,
  backupDays: number,
  redacted: readonly RedactedAsset[],
): AnswerRecord {
  const stored = passDoor(whole, door);
  const { texts, items } = openRecord(workspace.vault, stored.sealed);
  const erased = erasedOf(stored);
  const summary = buildSummary(workspace, stored, items, erased);
  return {
    ...summary,
    question: withText(summary.question, texts?.question, stored.sealed),
    answer: withText(summary.answer, texts?.answer, stored.sealed),
    erasure: erased.lastAt === undefined ? null : describeErasure(erased.lastAt, backupDays),
    evidence_links: stored.attached.links.map((link) => toLinkResource(workspace, link)),
    ledger: { ...summary.ledger, entry: formatEntry(stored.leaf) },
    receipt,
    events: stored.events.map((event) => toEventResource(workspace, event, erased, backupDays, redacted)),
  };
}

/** A record as lists show it, without texts: whether one is there is told from events and expiries. */
export function toSummaryResource(workspace: Workspace, listed: ListedRecord): RecordSummary {
  const sealed = listed.sealed && { ...listed.sealed, object_id: listed.record.id, texts: null };
  const { items } = openRecord(workspace.vault, sealed);
  return buildSummary(workspace, listed, items, erasedOf(listed));
}

function buildSummary(
  workspace: Workspace,
  { record, leaf, status, attached }: ListedRecord,
  items: RecordItems | null,
  erased: Erased,
): RecordSummary {
  const refs = refsOf.parse({
    semantic_refs: parseJsonText(record.semantic_refs_json),
    source_refs: parseJsonText(record.source_refs_json),
    evidence_access_event_ids: parseJsonText(record.evidence_access_event_ids_json),
  });
  return {
    id: record.id,
    application_key: record.application_key,
    environment: record.environment,
    idempotency_key: record.idempotency_key,
    status,
    question: commitment(record.question_hash, record.question_hash_key_id, record.question_text_state),
    answer: commitment(record.answer_hash, record.answer_hash_key_id, record.answer_text_state),
    semantic_refs: refs.semantic_refs.flatMap((_, n): JsonObject[] => {
      const item = findStored(erased.semanticRefs === undefined, items?.semantic_refs[n]?.item);
      if (item !== null) return [item];
      return erased.semanticRefs === undefined ? [] : [{ tombstone: erased.semanticRefs }];
    }),
    source_refs: refs.source_refs.map(({ source_ref_id, hash }, n): JsonObject => {
      const grave = erased.sourceRef(source_ref_id);
      const item = findStored(hash !== null && grave === undefined, items?.source_refs[n]?.item);
      if (item !== null) return { source_ref_id, ...item };
      return grave === undefined ? { source_ref_id } : { source_ref_id, tombstone: grave };
    }),
    evidence_access_event_ids: refs.evidence_access_event_ids,
    ...labelsOf(record),
    retention_until: formatTimestamp(record.retention_until),
    created_at: formatTimestamp(leaf.at),
    created_by: actorSchema.parse(parseJsonText(record.created_by_json)),
    trace_refs: attached.traces.map(toTraceResource),
    record_hash: `sha256:${formatHex(leaf.hash)}`,
    ledger: {
      origin: workspace.origin,
      leaf_index: leaf.leaf_index,
      leaf_hash: formatHex(leaf.leaf_hash),
    },
  };

  function commitment(hash: string, keyId: string | null, state: string) {
    return {
      hash,
      hash_key_id: keyId,
      text_state: erased.stateOf(state as CommittedText['text_state'], leaf.leaf_index),
    };
  }
}
