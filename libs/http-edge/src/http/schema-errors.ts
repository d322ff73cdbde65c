import type { z } from 'zod';
import { type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { cutKey, formatPointer } from './pointers.ts';

const ERRORS_MAX = 20;

type Issue = z.core.$ZodIssue;
type FormatPlace = (path: readonly PropertyKey[]) => string;

/** `schema_violation` of a body: places are RFC 6901 pointers, the empty one is the body itself. */
export function bodyViolation(issues: readonly Issue[]): ServiceError {
  return violation(issues, formatPointer, 'the request body is invalid; see errors');
}

/** `schema_violation` of a query: places are `?name`. */
export function queryViolation(issues: readonly Issue[]): ServiceError {
  return violation(issues, (path) => `?${cutKey(String(path[0] ?? ''))}`, 'the query is invalid; see errors');
}

function violation(issues: readonly Issue[], formatPlace: FormatPlace, detail: string): ServiceError {
  const errors: ProblemError[] = [];
  for (const issue of issues) {
    for (const path of placesOf(issue)) {
      if (errors.length === ERRORS_MAX) break;
      errors.push({ pointer: formatPlace(path), detail: describeIssue(issue) });
    }
  }
  return new ServiceError('schema_violation', detail, { errors });
}

/** An unknown key is a place of its own, not the object that holds it. */
function placesOf(issue: Issue): readonly (readonly PropertyKey[])[] {
  if (issue.code !== 'unrecognized_keys') return [issue.path];
  return issue.keys.slice(0, ERRORS_MAX).map((key) => [...issue.path, key]);
}

/** A sentence without submitted text, save unknown keys: zod's own sentence names those. */
function describeIssue(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return 'is an unknown field';
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is required';
  return issue.message;
}
