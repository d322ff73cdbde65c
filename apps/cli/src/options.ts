import { type Command, InvalidArgumentError } from 'commander';
import { formatTimestamp, readDateTime } from '@answer-evidence/encoding';
import type { Io } from './io.ts';
import { UsageError } from './usage-error.ts';

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Reads a positive decimal. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a positive number.');
  return Number(text);
}

/** The members that have a value. */
export function given<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** Options whose names are not those of the fields that they fill. */
const OPTION_OF: Readonly<Record<string, string>> = { application_key: 'application', answer_log_id: 'record' };

/** The fields of a schema that options fill, such as `created_after` from `--created-after`. */
export function fieldsOf(
  { shape }: { readonly shape: object },
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields = Object.keys(shape).map((field) => {
    const option = OPTION_OF[field] ?? field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [field, options[option]] as const;
  });
  return given(Object.fromEntries(fields));
}

/** Adds the filters by the time of creation. */
export function addTimeFilters(command: Command, io: Pick<Io, 'now'>): Command {
  const read = (text: string) => parseTimeOption(parseMoment(io, text), '; or say how long ago, such as 2h or 30d');
  return command
    .option('--created-after <time>', 'created at or after: RFC 3339, or how long ago, such as 2h', read)
    .option('--created-before <time>', 'created before: likewise', read);
}

/**
 * Reads a moment: `now`, how long ago it was, such as `2h` or `30d`, or a time of RFC 3339, which is returned as it is.
 */
export function parseMoment({ now }: Pick<Io, 'now'>, text: string): string {
  if (text === 'now') return formatTimestamp(now());
  if (!/^\d+[smhd]$/.test(text)) return text;
  return formatTimestamp(now() - parseTime('a time', text) * 1_000_000);
}

/** Reads a time of RFC 3339 that an option gives, and returns it as it is: the service stores it in its own form. */
export function parseTimeOption(text: string, otherwise = ''): string {
  const read = readDateTime(text);
  if ('fault' in read) throw new InvalidArgumentError(`It ${read.fault}${otherwise}.`);
  return text;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads a length of time that an option gives, in seconds. Throws `UsageError`. */
export function parseTime(option: string, text: string): number {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text);
  const unit = UNIT_SECONDS[match?.[2] ?? ''];
  if (match === null || unit === undefined)
    throw new UsageError(`${option} must be a number of seconds or a duration such as 12h or 30d`);
  return Number(match[1]) * unit;
}
