import * as z from 'zod';
import { findNearest } from './nearest-name.ts';

/** So many known names are listed for one that is like none of them. */
const NAMES_LISTED_MAX = 8;

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** Makes a schema report in our sentences, and report what it met: an absent member is told from a wrong one by it. */
export const IN_OUR_WORDS = { error: describeRaw, reportInput: true } as const;

/** One thing that a schema found wrong, without what was submitted but for the names of members. */
export type Fault = { readonly path: readonly PropertyKey[]; readonly detail: string };

/** What a schema found wrong that reported `IN_OUR_WORDS`, each unknown member by itself. */
export function describeIssues(issues: readonly Issue[], noun: 'field' | 'parameter'): readonly Fault[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], detail: describeUnknown(key, issue.message, noun) }))
      : [{ path: issue.path, detail: describe(issue) + escapeHint(issue, noun) }],
  );
}

/** `known`: names, as `describeRaw` puts them into the message of such an issue. */
function describeUnknown(name: string, known: string, noun: string): string {
  const names = known.split(' ').filter((one) => one !== '');
  const meant = findNearest(name, names);
  if (meant !== undefined) return `is an unknown ${noun}; did you mean ${meant}?`;
  if (names.length === 0) return `is an unknown ${noun}; leave it out, since this place takes none`;
  return `is an unknown ${noun}; ${names.length > NAMES_LISTED_MAX ? 'leave it out' : `use one of ${names.join(', ')}`}`;
}

/** A sentence without submitted text. A schema's own one says what a value must be, not that there is none. */
function describe(issue: Issue): string {
  return issue.input === undefined && issue.code !== 'unrecognized_keys' ? 'is required' : issue.message;
}

/** A `+` in a query is a space, so an offset that was not escaped looks like a mistake in the time. */
function escapeHint({ input }: Issue, noun: string): string {
  const isTime = noun === 'parameter' && typeof input === 'string' && /T\d.* \d\d:\d\d$/.test(input);
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
    case 'too_big':
      return `must ${boundOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      if (unitOf(issue.origin) !== '' && issue.minimum === 1) return 'must not be empty';
      return `must ${boundOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return 'must have the form that GET /api/openapi.json describes';
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

function describeValues(values: readonly unknown[], input: unknown): string {
  const list = values.map((value) => JSON.stringify(value));
  if (list.length === 1) return `must be ${list[0] ?? ''}`;
  const names = values.filter((value) => typeof value === 'string');
  const meant = typeof input === 'string' ? findNearest(input, names) : undefined;
  return `must be one of ${list.join(', ')}${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`;
}

function boundOf(origin: string): string {
  return origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'array') return ' items';
  return origin === 'string' ? ' characters' : '';
}
