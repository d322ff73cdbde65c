import { InvalidArgumentError } from 'commander';
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

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads a length of time that an option gives, in seconds. Throws `UsageError`. */
export function parseTime(option: string, text: string): number {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text);
  const unit = UNIT_SECONDS[match?.[2] ?? ''];
  if (match === null || unit === undefined)
    throw new UsageError(`${option} must be a number of seconds or a duration such as 12h or 30d`);
  return Number(match[1]) * unit;
}
