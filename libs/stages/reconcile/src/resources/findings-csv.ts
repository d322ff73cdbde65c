import type { JsonObject, ReconciliationFinding } from '@answer-evidence/contracts';
import { canonicalize, type CsvCell, formatCsvLine } from '@answer-evidence/encoding';
import type { CsvStyle } from '@answer-evidence/routes';

/** Members of details that several types of findings have, in columns of their own. */
const DETAIL_COLUMNS = ['reason', 'occurred_at', 'created_at', 'record_status', 'provisional'] as const;

/** The first line of a file of findings. */
export const FINDINGS_CSV_HEADER = formatCsvLine([
  'type',
  'reference_id',
  'answer_log_id',
  ...DETAIL_COLUMNS,
  'detail',
]);

/** One finding as a line of that file; the last cell is the whole detail as JSON. */
export function formatFindingCsv(
  { type, reference_id: reference, answer_log_id: record, detail }: ReconciliationFinding,
  { cellLengthMax }: CsvStyle,
): string {
  const members: JsonObject = detail;
  const own = DETAIL_COLUMNS.map((name) => cell(members[name]));
  return formatCsvLine([type, reference ?? '', record ?? '', ...own, { json: canonicalize(members) }], cellLengthMax);
}

function cell(value: JsonObject[string] | undefined): CsvCell {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(' ');
  return value === undefined || value === null ? '' : { json: canonicalize(value) };
}
