import { type AnswerRecord, type JsonValue, RECORD_LABELS } from '@answer-evidence/contracts';
import { type CsvCell, formatCsvLine } from '@answer-evidence/encoding';
import type { CsvStyle } from '@answer-evidence/routes';

/** In these the service's own words stand, which must stay as they are to be verified. */
const EXACT: ReadonlySet<string> = new Set(['ledger_entry', 'receipt']);

const COLUMNS: readonly (readonly [string, (record: AnswerRecord) => JsonValue | undefined])[] = [
  ['id', (r) => r.id],
  ['application_key', (r) => r.application_key],
  ['environment', (r) => r.environment],
  ['idempotency_key', (r) => r.idempotency_key],
  ['status', (r) => r.status],
  ['created_at', (r) => r.created_at],
  ['created_by', (r) => r.created_by],
  ['question_hash', (r) => r.question.hash],
  ['question_hash_key_id', (r) => r.question.hash_key_id],
  ['question_text_state', (r) => r.question.text_state],
  ['question_text', (r) => r.question.text],
  ['answer_hash', (r) => r.answer.hash],
  ['answer_hash_key_id', (r) => r.answer.hash_key_id],
  ['answer_text_state', (r) => r.answer.text_state],
  ['answer_text', (r) => r.answer.text],
  ['semantic_refs', (r) => r.semantic_refs],
  ['source_refs', (r) => r.source_refs],
  ['evidence_access_event_ids', (r) => r.evidence_access_event_ids],
  ...RECORD_LABELS.map((label) => [label, (r: AnswerRecord) => r[label]] as const),
  ['retention_until', (r) => r.retention_until],
  ['record_hash', (r) => r.record_hash],
  ['leaf_index', (r) => r.ledger.leaf_index],
  ['leaf_hash', (r) => r.ledger.leaf_hash],
  ['ledger_entry', (r) => r.ledger.entry],
  ['receipt', (r) => r.receipt],
  ['events', (r) => r.events],
];

/** RFC 4180: a header line and one line a record; objects as JSON; cells that a spreadsheet would run are defused. */
export function formatCsv(records: readonly AnswerRecord[], { start, cellLengthMax }: CsvStyle): string {
  const lines = [
    COLUMNS.map(([name]) => name),
    ...records.map((record) => COLUMNS.map(([name, value]) => cell(name, value(record)))),
  ];
  return start + lines.map((line) => formatCsvLine(line, cellLengthMax)).join('');
}

function cell(name: string, value: JsonValue | undefined): CsvCell {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return { json: JSON.stringify(value) };
  return EXACT.has(name) ? { exact: value } : value;
}
