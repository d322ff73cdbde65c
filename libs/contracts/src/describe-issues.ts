import * as z from 'zod';
import { findNearest } from './nearest-name.ts';

/** Longest list of known names for one that is like none of them. */
const NAMES_LENGTH_MAX = 240;

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** Makes a schema report in our sentences, and report what it met: an absent member is told from a wrong one by it. */
export const IN_OUR_WORDS = { error: describeRaw, reportInput: true } as const;

/** One thing that a schema found wrong, without what was submitted but for the names of members. */
export type Fault = { readonly path: readonly PropertyKey[]; readonly detail: string };

/**
 * What a schema found wrong that reported `IN_OUR_WORDS`, each unknown member by itself. One that is a misspelt name
 * comes first: it is why another member is missing.
 */
export function describeIssues(issues: readonly Issue[], noun: 'field' | 'parameter'): readonly Fault[] {
  const faults = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], ...describeUnknown(key, issue.message, noun) }))
      : [{ path: issue.path, detail: describe(issue) + escapeHint(issue, noun), isMisspelt: false }],
  );
  return faults.toSorted((a, b) => Number(b.isMisspelt) - Number(a.isMisspelt));
}

/** `known`: names, as `describeRaw` puts them into the message of such an issue. */
function describeUnknown(name: string, known: string, noun: string) {
  const names = known.split(' ').filter((one) => one !== '');
  const meant = findNearest(name, names);
  const advice = meant === undefined ? adviseNames(names) : `did you mean ${meant}?`;
  return { detail: `is an unknown ${noun}; ${advice}`, isMisspelt: meant !== undefined };
}

function adviseNames(names: readonly string[]): string {
  if (names.length === 0) return 'leave it out, since this place takes none';
  const list = names.join(', ');
  return list.length > NAMES_LENGTH_MAX ? 'leave it out' : `use one of ${list}`;
}

/** A sentence without submitted text. A schema's own one says what a value must be, not that there is none. */
function describe(issue: Issue): string {
  return issue.input === undefined && issue.code !== 'unrecognized_keys' ? 'is required' : issue.message;
}

/** A `+` in a query is a space, so an offset that was not escaped looks like a mistake in the time. */
function escapeHint({ input }: Issue, noun: string): string {
  const isTime = noun === 'parameter' && typeof input === 'string' && / \d\d:\d\d$/.test(input) && /T\d/.test(input);
  return isTime ? '; in a query, write + as %2B' : '';
}

function describeRaw(issue: RawIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape).join(' ') : '';
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return describeValues(issue.values, issue.input);
    case 'invalid_union':
      return describeUnion(issue);
    case 'too_big':
      return `must ${boundOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      if (unitOf(issue.origin) !== '' && issue.minimum === 1) return 'must not be empty';
      return `must ${boundOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return ANY_FORM;
  }
}

const ANY_FORM = 'must have the form that GET /api/openapi.json describes';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** A list of values that is longer says where it is; with the rest of a detail it stays below 400 characters. */
const LIST_LENGTH_MAX = 300;

function describeValues(values: readonly unknown[], input: unknown): string {
  const list = values.map((value) => JSON.stringify(value));
  if (list.length === 1) return `must be ${list[0] ?? ''}`;
  const names = values.filter((value) => typeof value === 'string');
  const meant = typeof input === 'string' ? findNearest(input, names) : undefined;
  const all = list.join(', ');
  const some = all.length > LIST_LENGTH_MAX ? `${list.length} values, which GET /api/openapi.json lists` : all;
  return `must be one of ${some}${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`;
}

/** A union whose members are told apart by one field is reported at that field. */
function describeUnion({ discriminator, options, input }: Extract<RawIssue, { code: 'invalid_union' }>): string {
  if (discriminator === undefined || !Array.isArray(options)) return ANY_FORM;
  const value: unknown = Reflect.get(Object(input), discriminator);
  const values = describeValues(options, value);
  return value === undefined ? `is required: ${values.replace('must be ', '')}` : values;
}

function boundOf(origin: string): string {
  return origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'array') return ' items';
  return origin === 'string' ? ' characters' : '';
}
