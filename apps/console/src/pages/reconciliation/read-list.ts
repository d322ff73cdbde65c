import { parse } from 'csv-parse/browser/esm/sync';
import { type ReferenceRequest, referenceRequest } from '@answer-evidence/contracts';

/** What a reference is made of; each can come from one column of a list. */
export const REFERENCE_FIELDS = ['reference_id', 'occurred_at', 'question_hash', 'answer_hash'] as const;
/** One of these. */
export type ReferenceField = (typeof REFERENCE_FIELDS)[number];
/** Which column each field comes from; left out: from none. */
export type Mapping = Readonly<Partial<Record<ReferenceField, string>>>;

/** A list as it was uploaded. */
export type List = {
  readonly columns: readonly string[];
  /** Texts by column. */
  readonly rows: readonly Readonly<Record<string, string>>[];
};
/** A row that is no reference, by its number from 1, and why. */
type RowFault = { readonly row: number; readonly detail: string };

const TEXT_LENGTH_MAX = 20_000_000;
const FAULTS_MAX = 20;

/** The rows of CSV with a header, or of JSON lines. Throws an `Error` that says what is wrong with the file. */
export function readList(name: string, text: string): List {
  if (text.length > TEXT_LENGTH_MAX) throw new Error(`more than ${TEXT_LENGTH_MAX} characters`);
  const rows =
    /\.(jsonl|ndjson|json)$/i.test(name) || text.trimStart().startsWith('{') ? readJsonl(text) : readCsv(text);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
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
          const value = row[mapping[field] ?? ''] ?? '';
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
  return parse(text, { columns: true, bom: true, skip_empty_lines: true });
}

function readJsonl(text: string): List['rows'] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const value = parseLine(line, at + 1);
    return [
      Object.fromEntries(
        Object.entries(value).flatMap(([name, one]) =>
          typeof one === 'string' || typeof one === 'number' ? [[name, String(one)]] : [],
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
