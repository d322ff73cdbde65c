import type { z } from 'zod';
import { type ProblemError, ServiceError } from '@answer-evidence/contracts';
import { describeIssues } from '@answer-evidence/contracts/describe-issues';
import { cutKey, formatPointer } from './pointers.ts';

const ERRORS_MAX = 20;

type Issue = z.core.$ZodIssue;
type FormatPlace = (path: readonly PropertyKey[]) => string;

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
  const [rule] = describeIssues(issues, 'parameter').map(
    ({ path: [name], detail }) => `${String(name)} in the path ${detail}`,
  );
  return new ServiceError('not_found', `no resource exists at this path; check it: ${rule}`);
}

function violation(
  issues: readonly Issue[],
  formatPlace: FormatPlace,
  detail: string,
  noun: 'field' | 'parameter',
): ServiceError {
  const errors: readonly ProblemError[] = describeIssues(cutIssues(issues), noun)
    .slice(0, ERRORS_MAX)
    .map((fault) => ({ pointer: formatPlace(fault.path), detail: fault.detail }));
  return new ServiceError('schema_violation', detail, { errors });
}

/** Each unknown member is compared with all known names, so no more of them are looked at than are told. */
function cutIssues(issues: readonly Issue[]): readonly Issue[] {
  return issues
    .slice(0, ERRORS_MAX)
    .map((issue) => (issue.code === 'unrecognized_keys' ? { ...issue, keys: issue.keys.slice(0, ERRORS_MAX) } : issue));
}
