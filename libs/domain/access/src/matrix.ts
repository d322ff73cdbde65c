import {
  type Belonging,
  isLimited,
  isWithin,
  type Limits,
  nameLimits,
  NO_LIMITS,
  ServiceError,
} from '@answer-evidence/contracts';
import {
  ACCESS_MATRIX,
  limitOf,
  nameRoles,
  type Operation,
  outsideOfLimits,
  type Right,
  roleNotAllowed,
} from '@answer-evidence/contracts/operations';
import type { Caller } from './callers.ts';

/** Throws `token_kind_not_allowed`, `scope_missing` or `role_not_allowed` unless the caller has the right. */
export function assertAllowed(caller: Caller, right: Right): void {
  const rule = ACCESS_MATRIX[right];
  if (caller.kind === 'application') {
    if (rule.application === null)
      throw new ServiceError(
        'token_kind_not_allowed',
        `application tokens are not allowed here; use a user token of ${nameRoles(rule.people)}`,
      );
    if (rule.application !== 'any' && !caller.scopes.includes(rule.application))
      throw new ServiceError(
        'scope_missing',
        `the token lacks the scope ${rule.application}; use one that was issued with it`,
      );
    return;
  }
  if (!rule.people.includes(caller.role)) throw roleNotAllowed(right);
}

/**
 * Throws `role_not_allowed` for somebody who is limited, where an operation is about what they are not given. What is
 * left of it is narrowed by `boundsOf` and `assertApplication`.
 */
export function assertWithinLimits(
  caller: Caller,
  { operationId, access }: Pick<Operation, 'operationId' | 'access'>,
): void {
  const limits = caller.kind === 'user' ? (caller.limits ?? NO_LIMITS) : NO_LIMITS;
  if (!isLimited(limits)) return;
  const own = `your role is limited to ${nameLimits(limits)}`;
  const others = access === 'public' ? 'somebody' : nameRoles(ACCESS_MATRIX[access].people);
  const decision = limitOf(operationId);
  if (decision === 'workspace')
    throw new ServiceError(
      'role_not_allowed',
      `this is about the whole workspace, and ${own}; ask ${others} without limits`,
    );
  if (decision === 'application' && limits.environments !== null)
    throw new ServiceError(
      'role_not_allowed',
      `this has no environment, and ${own}; ask ${others} who is not limited to environments`,
    );
}

/** Whether the caller has the right. */
export function isAllowed(caller: Caller, right: Right): boolean {
  try {
    assertAllowed(caller, right);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** Throws `application_not_allowed` when a caller meets what is outside of their bounds. */
export function assertApplication(caller: Caller, of: Belonging): void {
  const bounds = boundsOf(caller) ?? NO_LIMITS;
  if (isWithin(bounds, of)) return;
  if (caller.kind === 'user') throw outsideOfLimits(bounds);
  throw new ServiceError(
    'application_not_allowed',
    'the token is bound to another application key; use a token of the application in question',
  );
}

/** The one application of a token, or undefined for a person. */
export function boundApplication(caller: Caller): string | undefined {
  return caller.kind === 'application' ? caller.applicationKey : undefined;
}

/** What a caller's lists are narrowed to, or undefined when all is open. */
export function boundsOf(caller: Caller): Limits | undefined {
  if (caller.kind === 'application') return { applications: [caller.applicationKey], environments: null };
  return caller.limits !== undefined && isLimited(caller.limits) ? caller.limits : undefined;
}
