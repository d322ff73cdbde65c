import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parseJsonText } from '@answer-evidence/encoding';
import { UsageError } from '../usage-error.ts';

/** One row of a file, with the line that it stands in, from 1. */
export type Row = { readonly line: number; readonly values: Readonly<Record<string, unknown>> };

/** Longest row that is read, in characters: nothing that a reference needs comes near it. */
const ROW_LENGTH_MAX = 1_000_000;

/** The rows of a JSONL or CSV file (RFC 4180, with a header), read in pieces. Throws `UsageError` with the line. */
export function readRows(name: string, format: 'jsonl' | 'csv', pieces: AsyncIterable<Uint8Array>): AsyncIterable<Row> {
  return format === 'csv' ? readCsv(name, decode(name, pieces)) : readJsonl(name, pieces);
}

/** The bytes of a file in their order. */
type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The lines of a file in UTF-8 that comes in pieces, without their ends. Throws `UsageError`. */
export function readLines(name: string, pieces: Pieces): AsyncIterable<string> {
  return linesOf(name, decode(name, pieces));
}

async function* decode(name: string, pieces: Pieces): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const read = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw new UsageError(`${name}: not a UTF-8 text file`);
    }
  };
  for await (const piece of pieces) yield read(piece);
  yield read();
}

async function* readJsonl(name: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  let line = 0;
  for await (const one of readLines(name, pieces)) {
    line += 1;
    if (one.trim() !== '') yield { line, values: readObject(`${name} line ${line}`, one) };
  }
}

async function* linesOf(name: string, text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > ROW_LENGTH_MAX)
      throw new UsageError(`${name}: a line has more than ${ROW_LENGTH_MAX} characters`);
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}

function readObject(place: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseJsonText(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below, without the line itself.
  }
  throw new UsageError(`${place}: not a JSON object`);
}

async function* readCsv(name: string, text: AsyncIterable<string>): AsyncGenerator<Row> {
  const parser = parse({
    columns: readNames(name),
    info: true,
    skip_empty_lines: true,
    max_record_size: ROW_LENGTH_MAX,
  });
  // What the source throws comes out of the parser, so the callback has nothing to say.
  pipeline(Readable.from(text), parser, () => undefined);
  try {
    for await (const row of parser as AsyncIterable<{ record: Record<string, string>; info: { lines: number } }>)
      yield { line: row.info.lines, values: row.record };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Its message quotes the file.
    const line = typeof error['lines'] === 'number' ? ` line ${error['lines']}` : '';
    throw new UsageError(`${name}${line}: not valid CSV by RFC 4180 (${error.code})`);
  }
}

/** Two columns of one name would leave it open which one counts. */
function readNames(name: string) {
  return (names: readonly string[]) => {
    if (new Set(names).size !== names.length) throw new UsageError(`${name}: two columns have the same name`);
    return [...names];
  };
}
