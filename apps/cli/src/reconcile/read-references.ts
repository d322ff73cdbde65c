import { referenceRequest } from '@answer-evidence/contracts';
import { EncodingError, formatTimestamp, readOr } from '@answer-evidence/encoding';
import { readReference, type Reference } from '@answer-evidence/reconciliation';
import type { Io } from '../io.ts';
import { readWith } from '../issues.ts';
import { describeFileError } from '../system-error.ts';
import { UsageError } from '../usage-error.ts';
import { readRows, type Row } from './read-rows.ts';
import { parseColumns, type ReferenceColumns } from './reference-columns.ts';

/** How a file of references is to be read. */
export type ReferenceOptions = {
  readonly columns?: string;
  readonly format?: 'jsonl' | 'csv';
  readonly timeFormat: TimeFormat;
};

/** How times stand in a file: RFC 3339 with an offset, or a number of seconds or milliseconds since 1970. */
export const TIME_FORMATS = ['rfc3339', 'unix', 'unix-ms'] as const;
/** How times stand in a file. */
type TimeFormat = (typeof TIME_FORMATS)[number];

const FAULTS_NAMED_MAX = 20;

/** References of a file, or `-`, in order, by the ending's form. Throws `UsageError`: at most 20 lines, no values. */
export async function readReferences(io: Io, path: string, options: ReferenceOptions): Promise<readonly Reference[]> {
  const columns = parseColumns(options.columns);
  const format = options.format ?? (/\.csv$/i.test(path) ? 'csv' : 'jsonl');
  const references: Reference[] = [];
  const faults: string[] = [];
  for await (const row of readRows(path, format, piecesOf(io, path))) {
    const read = readRow(row, columns, options.timeFormat);
    if (typeof read === 'string') faults.push(`line ${row.line}: ${read}`);
    else references.push(read);
    if (faults.length === FAULTS_NAMED_MAX) break;
  }
  if (faults.length > 0) throw new UsageError(`${path} ${faults.join(`\n  ${path} `)}`);
  return references;
}

/** A file piece by piece, or standard input for `-`. */
export async function* piecesOf(io: Io, path: string): AsyncGenerator<Uint8Array> {
  if (path === '-') {
    yield await io.readStdin();
    return;
  }
  try {
    yield* io.files.readPieces(path);
  } catch (error) {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  }
}

/** The reference of a row, or what is wrong with it. */
function readRow({ values }: Row, columns: ReferenceColumns, timeFormat: TimeFormat): Reference | string {
  const named = Object.entries(columns).flatMap(([field, column]) => {
    const value = Object.hasOwn(values, column) ? values[column] : undefined;
    const isAbsent = value === undefined || value === null || (value === '' && field.endsWith('_hash'));
    return isAbsent ? [] : [[field, value] as const];
  });
  const sent = Object.fromEntries(named);
  if (timeFormat !== 'rfc3339' && 'occurred_at' in sent) {
    const time = readUnixTime(sent['occurred_at'], timeFormat);
    if (time === undefined)
      return `/occurred_at must be ${UNIX[timeFormat].unit} since 1970, between the years 1684 and 2255`;
    sent['occurred_at'] = time;
  }
  const read = readWith(referenceRequest, sent);
  if ('fault' in read) return read.fault;
  try {
    return readReference(read.value);
  } catch (error) {
    if (error instanceof EncodingError) return `/occurred_at ${error.message}`;
    throw error;
  }
}

/** Digits after the point down to a microsecond. */
const UNIX = { unix: { unit: 'seconds', digits: 6 }, 'unix-ms': { unit: 'milliseconds', digits: 3 } } as const;

/** A number of seconds or milliseconds as RFC 3339, cut to microseconds; undefined when it is no such time. */
function readUnixTime(value: unknown, format: keyof typeof UNIX): string | undefined {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,9}))?$/.exec(String(value)) ?? [];
  if (whole === undefined) return undefined;
  const { digits } = UNIX[format];
  // By its digits: a binary fraction may be a little less than the microseconds that it stands for.
  const micros = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return readOr(() => formatTimestamp(micros), undefined);
}
