import { parse } from 'csv-parse/browser/esm/sync';
import { type ReferenceRequest, referenceRequest, REFERENCES_MAX } from '@answer-evidence/contracts';

/** What a reference is made of; each can come from one column of a list. */
export const REFERENCE_FIELDS = ['reference_id', 'occurred_at', 'question_hash', 'answer_hash'] as const;
/** One of these. */
export type ReferenceField = (typeof REFERENCE_FIELDS)[number];
/** Which column each field comes from; left out: from none. */
export type Mapping = Readonly<Partial<Record<ReferenceField, string>>>;

/** A list as it was uploaded. */
export type List = {
  readonly columns: readonly string[];
  /** Texts by column, whose name may be that of something which every object has. */
  readonly rows: readonly ReadonlyMap<string, string>[];
};
/** A row that is no reference, by its number from 1, and why. */
type RowFault = { readonly row: number; readonly detail: string };

const TEXT_LENGTH_MAX = 20_000_000;
const FAULTS_MAX = 20;
/** What tables are separated by: spreadsheets write semicolons where numbers have decimal commas. */
const DELIMITERS = [',', ';', '\t'] as const;

/** Why a file is no list, by a key of the catalogues and the values in its text. */
export class ListError extends Error {
  override readonly name = 'ListError';
  readonly code: 'tooLong' | 'empty' | 'tooMany' | 'twoColumns';
  readonly values: Readonly<Record<string, string | number>>;

  constructor(code: ListError['code'], values: ListError['values'] = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

/**
 * The rows of CSV with a header, or of JSON lines. Throws `ListError`, or an `Error` that says where a line is not what
 * the form wants.
 */
export function readList(name: string, text: string): List {
  if (text.length > TEXT_LENGTH_MAX) throw new ListError('tooLong', { max: TEXT_LENGTH_MAX });
  const rows =
    /\.(jsonl|ndjson|json)$/i.test(name) || text.trimStart().startsWith('{') ? readJsonl(text) : readCsv(text);
  if (rows.length === 0) throw new ListError('empty');
  if (rows.length > REFERENCES_MAX) throw new ListError('tooMany', { count: rows.length, max: REFERENCES_MAX });
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return { columns, rows };
}

/** The mapping that the names of the columns suggest. */
export function guessMapping(columns: readonly string[]): Mapping {
  const guesses: Readonly<Record<ReferenceField, RegExp>> = {
    reference_id: /^(reference_id|idempotency_key|external_message_id|message(_id)?|id)$/i,
    occurred_at: /^(occurred_at|served_at|created_at|time(stamp)?|at)$/i,
    question_hash: /^question_hash$/i,
    answer_hash: /^answer_hash$/i,
  };
  return Object.fromEntries(
    REFERENCE_FIELDS.flatMap((field) => {
      const found = columns.find((column) => guesses[field].test(column));
      return found === undefined ? [] : [[field, found]];
    }),
  );
}

/** The references of a list, and the first rows that are none. */
export function mapRows(
  { rows }: List,
  mapping: Mapping,
): { readonly references: readonly ReferenceRequest[]; readonly faults: readonly RowFault[] } {
  const references: ReferenceRequest[] = [];
  const faults: RowFault[] = [];
  for (const [at, row] of rows.entries()) {
    const parsed = referenceRequest.safeParse(
      Object.fromEntries(
        REFERENCE_FIELDS.flatMap((field) => {
          const value = row.get(mapping[field] ?? '') ?? '';
          return value === '' ? [] : [[field, value]];
        }),
      ),
    );
    if (parsed.success) references.push(parsed.data);
    else if (faults.length < FAULTS_MAX) {
      const [issue] = parsed.error.issues;
      faults.push({ row: at + 1, detail: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` });
    }
  }
  return { references, faults };
}

function readCsv(text: string): List['rows'] {
  const [header = [], ...rows]: string[][] = parse(text, {
    bom: true,
    skip_empty_lines: true,
    delimiter: findDelimiter(text),
  });
  // Of two columns of one name only one would count, and nobody could tell which.
  const twice = header.find((name, at) => header.indexOf(name) !== at);
  if (twice !== undefined) throw new ListError('twoColumns', { name: twice });
  return rows.map((row) => new Map(header.map((name, at) => [name, row[at] ?? ''])));
}

/** What the header has most of, outside of quotes. */
function findDelimiter(text: string): string {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function readJsonl(text: string): List['rows'] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const value = parseLine(line, at + 1);
    return [
      new Map(
        Object.entries(value).flatMap(([name, one]) =>
          typeof one === 'string' || typeof one === 'number' ? [[name, String(one)] as const] : [],
        ),
      ),
    ];
  });
}

function parseLine(line: string, at: number): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, with its line.
  }
  throw new Error(`line ${at}: not a JSON object`);
}
