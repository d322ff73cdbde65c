import { type CreateRecordsRequest, createRecordsRequest, dateTime } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { readDateTime } from '@answer-evidence/encoding';
import type { Io } from '../io.ts';
import { readWith } from '../issues.ts';
import { piecesOf } from '../reconcile/read-references.ts';
import { readRows, type Row } from '../reconcile/read-rows.ts';
import { UsageError } from '../usage-error.ts';

/** The body of a create with the key that an import needs. */
type KeyedCreate = CreateRecordsRequest['records'][number];

/** One line of a file of answers that were given before: what is to be recorded of it, and its size there. */
export type HistoricalAnswer = { readonly line: number; readonly record: KeyedCreate; readonly bytes: number };

const FAULTS_NAMED_MAX = 20;
/** How many hex digits of the digest a made key has. */
const KEY_DIGITS = 40;

const answers = createRecordsRequest.shape.records.element.extend({ answered_at: dateTime.optional() });

/**
 * The answers of a JSONL file, from a line on. Each line is the body of a create, and may say in `answered_at` when the
 * answer was given. Throws `UsageError` at the first line that is not one.
 */
export async function* readHistory(io: Io, path: string, fromLine: number): AsyncGenerator<HistoricalAnswer> {
  for await (const row of readRows(path, 'jsonl', piecesOf(io, path))) {
    if (row.line < fromLine) continue;
    const read = readAnswer(row);
    if (typeof read === 'string') throw new UsageError(`${path} line ${row.line}: ${read}`);
    yield read;
  }
}

/** Reads a whole file and returns how many answers it holds. Throws `UsageError`: at most 20 lines, no values. */
export async function countHistory(
  io: Io,
  path: string,
  fromLine: number,
  report: (count: number) => void,
): Promise<number> {
  let count = 0;
  const faults: string[] = [];
  for await (const row of readRows(path, 'jsonl', piecesOf(io, path))) {
    if (row.line < fromLine) continue;
    const read = readAnswer(row);
    if (typeof read === 'string') faults.push(`line ${row.line}: ${read}`);
    if (faults.length === FAULTS_NAMED_MAX) break;
    count += 1;
    report(count);
  }
  if (faults.length > 0) throw new UsageError(`${path} ${faults.join(`\n  ${path} `)}`);
  return count;
}

/**
 * The answer of a line, or what is wrong with it. A line without a key gets one that follows from what it says, so that
 * two equal lines are one record, and so is a line of an import that is repeated.
 */
function readAnswer({ line, values }: Row): HistoricalAnswer | string {
  const text = JSON.stringify(values);
  const made = `import-${sha256Hex(text).slice(0, KEY_DIGITS)}`;
  const read = readWith(answers, { idempotency_key: made, ...values });
  if ('fault' in read) return read.fault;
  const { answered_at: claimed, semantic_refs: refs = [], ...record } = read.value;
  const time = claimed === undefined ? undefined : readDateTime(claimed);
  if (time !== undefined && 'fault' in time) return `/answered_at ${time.fault}`;
  const claim = { type: 'import', ...(claimed === undefined ? {} : { claimed_at: claimed }) };
  return { line, record: { ...record, semantic_refs: [...refs, claim] }, bytes: text.length * 3 };
}
