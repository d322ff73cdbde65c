import { z } from 'zod';
import { type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { findNearest } from './nearest-name.ts';
import { cutKey, formatPointer } from './pointers.ts';

const ERRORS_MAX = 20;
/** So many known names are listed for one that is like none of them. */
const NAMES_LISTED_MAX = 8;

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;
type FormatPlace = (path: readonly PropertyKey[]) => string;

/** Makes a schema report in our sentences, and report what it met: an absent member is told from a wrong one by it. */
export const IN_OUR_WORDS = { error: describeRaw, reportInput: true } as const;

/** `schema_violation` of a body: places are RFC 6901 pointers, the empty one is the body itself. */
export function bodyViolation(issues: readonly Issue[]): ServiceError {
  return violation(issues, formatPointer, 'the request body is invalid', 'field');
}

/** `schema_violation` of a query: places are `?name`. */
export function queryViolation(issues: readonly Issue[]): ServiceError {
  return violation(issues, (path) => `?${cutKey(String(path[0] ?? ''))}`, 'the query is invalid', 'parameter');
}

/** `not_found` for parameters of a path that name nothing that can exist; they are named, and not repeated. */
export function pathViolation(issues: readonly Issue[]): ServiceError {
  const [issue] = issues;
  const rule = issue === undefined ? '' : `; ${String(issue.path[0])} in the path ${describe(issue)}`;
  return new ServiceError('not_found', `no resource exists at this path${rule}`);
}

function violation(
  issues: readonly Issue[],
  formatPlace: FormatPlace,
  detail: string,
  noun: 'field' | 'parameter',
): ServiceError {
  const errors: ProblemError[] = [];
  for (const issue of issues) {
    const found =
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, ERRORS_MAX)
            .map((key) => [[...issue.path, key], describeUnknown(key, issue.message, noun)] as const)
        : [[issue.path, describe(issue) + escapeHint(issue, noun)] as const];
    for (const [path, fault] of found)
      if (errors.length < ERRORS_MAX) errors.push({ pointer: formatPlace(path), detail: fault });
  }
  return new ServiceError('schema_violation', detail, { errors });
}

/** `known`: names, as `describeRaw` puts them into the message of such an issue. */
function describeUnknown(name: string, known: string, noun: string): string {
  const names = known.split(' ').filter((one) => one !== '');
  const meant = findNearest(name, names);
  if (meant !== undefined) return `is an unknown ${noun}; did you mean ${meant}?`;
  if (names.length === 0) return `is an unknown ${noun}; this place takes none`;
  return `is an unknown ${noun}${names.length > NAMES_LISTED_MAX ? '' : `; the known ones are ${names.join(', ')}`}`;
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
      return describeValues(issue.values);
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

function describeValues(values: readonly unknown[]): string {
  const list = values.map((value) => JSON.stringify(value));
  return list.length === 1 ? `must be ${list[0] ?? ''}` : `must be one of ${list.join(', ')}`;
}

function boundOf(origin: string): string {
  return origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'array') return ' items';
  return origin === 'string' ? ' characters' : '';
}
