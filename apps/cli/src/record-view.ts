import {
  type AnswerRecord,
  type CommittedText,
  EVENT_TYPES,
  type EventType,
  type LifecycleEvent,
  type RecordSummary,
} from '@answer-evidence/contracts';
import { type StoryStep, tellStory, type WordLanguage } from '@answer-evidence/verify';
import { asFields, asTable, type Block, type Cell } from './output/blocks.ts';

/**
 * A record for people: its story in a sentence, fields, then its events. Texts stand on one line; `--output json` has
 * them as they are.
 */
export function viewRecord(record: AnswerRecord, language: WordLanguage = 'en'): readonly Block[] {
  const fields: (readonly [string, Cell])[] = [
    ['id', record.id],
    ['status', record.status],
    ['created', record.created_at],
    ['created by', `${record.created_by.kind} ${record.created_by.id}`],
    ['application', record.application_key],
    ['environment', record.environment],
    ['idempotency key', record.idempotency_key],
    ...formatHolding(record),
    ...formatCommitment('question', record.question),
    ...formatCommitment(isReplaced(record) ? 'original answer' : 'answer', record.answer),
    ['source refs', record.source_refs.length],
    ['semantic refs', record.semantic_refs.length],
    ['access events', record.evidence_access_event_ids.length],
    ['external trace', record.external_trace_id],
    ['external message', record.external_message_id],
    ['mode', record.mode],
    ['retention until', record.retention_until],
    ['record hash', record.record_hash],
    ['log', record.ledger.origin],
    ['leaf index', record.ledger.leaf_index],
    ['leaf hash', record.ledger.leaf_hash],
  ];
  return [
    tellRecord(record, language),
    asFields(fields),
    ...viewTraces(record),
    ...viewEvents(record),
    ...viewRedactedEvidence(record),
  ];
}

/** What happened to the record and which answer holds, as packs and verifiers say it. */
function tellRecord(record: AnswerRecord, language: WordLanguage): Block {
  const steps = (record.events ?? []).flatMap(({ event_type: type, created_at: at, reason }): readonly StoryStep[] => {
    // A newer service may have events that this program does not know.
    if (!EVENT_TYPES.includes(type)) return [];
    return [{ type, at: toMinute(at), reason: reason === null || reason === '' ? undefined : reason }];
  });
  const isExpired = [record.question, record.answer].some(({ text_state: state }) => state === 'expired');
  const story = { application: record.application_key, at: toMinute(record.created_at), steps, isExpired };
  return { kind: 'line', text: tellStory(story, language) };
}

function toMinute(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

function findLast({ events = [] }: AnswerRecord, type: EventType): LifecycleEvent | undefined {
  return events.findLast(({ event_type: one }) => one === type);
}

function isReplaced(record: AnswerRecord): boolean {
  return findLast(record, 'correction_appended') !== undefined || findLast(record, 'voided') !== undefined;
}

/** What holds now, and by which event; nothing where it is what was recorded. */
function formatHolding(record: AnswerRecord): readonly (readonly [string, Cell])[] {
  const [voided, correction, redaction] = [
    findLast(record, 'voided'),
    findLast(record, 'correction_appended'),
    findLast(record, 'redacted'),
  ];
  const by = ({ sequence, created_at: at }: LifecycleEvent) => `event ${sequence} at ${at}`;
  const erased = redaction === undefined ? [] : ([['texts redacted', `by ${by(redaction)}`]] as const);
  if (voided !== undefined) return [['answer that holds', `none: it was voided by ${by(voided)}`], ...erased];
  const { corrected_answer: now } = correction ?? {};
  if (correction === undefined || now === undefined || now === null) return erased;
  return [['answer that holds', textOf(now)], ['its hash', now.hash], ['corrected by', by(correction)], ...erased];
}

function formatCommitment(name: string, commitment: CommittedText): readonly (readonly [string, Cell])[] {
  return [
    [`${name} hash`, commitment.hash],
    [`${name} text`, textOf(commitment)],
  ];
}

/** The text, or why it is not here: one that is stored was withheld. */
function textOf({ text, text_state: state }: Pick<CommittedText, 'text' | 'text_state'>): string {
  return text ?? (state === 'stored' ? '(withheld: this workspace wants a --reason)' : `(${state})`);
}

function viewTraces({ trace_refs: traces }: AnswerRecord): readonly Block[] {
  if (traces.length === 0) return [];
  const rows = traces.map((trace) => [
    trace.trace_id,
    trace.span_id,
    trace.attached_at,
    `${trace.attached_by.kind} ${trace.attached_by.id}`,
    trace.commitments,
  ]);
  return [asTable(['attached trace', 'span', 'attached', 'by', 'commitments'], rows)];
}

function viewEvents(record: AnswerRecord): readonly Block[] {
  if (record.events === undefined || record.events.length === 0) return [];
  const rows = record.events.map((event) => [
    event.sequence,
    event.event_type,
    event.created_at,
    `${event.actor.kind} ${event.actor.id}`,
    formatReason(event),
  ]);
  return [asTable(['event', 'type', 'created', 'by', 'reason'], rows)];
}

/** A reason, or that it is gone and by which reason code. */
function formatReason({ reason, reason_tombstone: tombstone }: LifecycleEvent): string | null {
  if (tombstone === undefined) return reason;
  return tombstone.reason_code === null ? '(erased)' : `(erased: ${tombstone.reason_code})`;
}

/** What redactions took away of evidence; nothing where they took none. */
function viewRedactedEvidence({ events }: AnswerRecord): readonly Block[] {
  const rows = (events ?? []).flatMap((event) =>
    event.redacted_evidence.map((redacted): Cell[] => [
      event.sequence,
      redacted.asset_id,
      redacted.segment_ids === null ? 'all' : redacted.segment_ids.length,
      redacted.original,
      redacted.also_held_by.length === 0 ? null : redacted.also_held_by.join(' '),
    ]),
  );
  return rows.length === 0 ? [] : [asTable(['event', 'redacted asset', 'segments', 'original', 'also held by'], rows)];
}

/** A list of records for people. */
export function viewRecords(records: readonly RecordSummary[]): Block {
  return asTable(
    ['created', 'id', 'application', 'environment', 'status', 'leaf', 'idempotency key'],
    records.map((record) => [
      record.created_at,
      record.id,
      record.application_key,
      record.environment,
      record.status,
      record.ledger.leaf_index,
      record.idempotency_key,
    ]),
  );
}
