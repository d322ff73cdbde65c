import { UsageError } from '../usage-error.ts';

const FIELDS = ['reference_id', 'occurred_at', 'question_hash', 'answer_hash'] as const;
/** One part of a reference. */
type ReferenceField = (typeof FIELDS)[number];

/** Under which name each part of a reference stands in a file. */
export type ReferenceColumns = Readonly<Record<ReferenceField, string>>;

const OWN_NAMES: ReferenceColumns = {
  reference_id: 'reference_id',
  occurred_at: 'occurred_at',
  question_hash: 'question_hash',
  answer_hash: 'answer_hash',
};

/** Reads `reference_id=message,occurred_at=asked at`; what is not named keeps its own name. Throws `UsageError`. */
export function parseColumns(option: string | undefined): ReferenceColumns {
  const columns = { ...OWN_NAMES };
  const seen = new Set<string>();
  for (const part of option === undefined ? [] : option.split(/,(?=(?:reference_id|occurred_at|\w+_hash)=)/)) {
    const [, name, column] = /^(\w+)=(.+)$/s.exec(part) ?? [];
    const field = FIELDS.find((known) => known === name);
    if (field === undefined || column === undefined)
      throw new UsageError(
        `--columns must look like reference_id=message,occurred_at=asked_at, with the fields ${FIELDS.join(', ')}`,
      );
    if (seen.has(field)) throw new UsageError(`--columns contains ${field} twice`);
    seen.add(field);
    columns[field] = column;
  }
  return columns;
}
