import * as z from 'zod';
import { key, OPEN_VALUES } from './primitives.ts';

/**
 * What somebody is in a workspace, most first. `role` of the interface knows two of them, and calls all others
 * `member`, as programs of an earlier release do.
 */
export const MEMBER_ROLES = ['manager', 'member', 'reviewer', 'application_operator', 'auditor', 'read_only'] as const;
/** One of these. */
export const memberRole = z.enum(MEMBER_ROLES).meta(OPEN_VALUES);
export type MemberRole = z.infer<typeof memberRole>;

/** A role as prose names it, with its article. */
export const ROLE_NAMES: Readonly<Record<MemberRole, string>> = {
  manager: 'a manager',
  member: 'a member',
  reviewer: 'a reviewer',
  application_operator: 'an application operator',
  auditor: 'an auditor',
  read_only: 'a read-only member',
};

/** Most applications, or environments, that a member is limited to. */
export const LIMITS_MAX = 50;

const limit = z
  .array(key)
  .min(1, 'must name at least one; null is for all')
  .max(LIMITS_MAX, `must name at most ${LIMITS_MAX}`)
  .nullable();

/** What a member may do, and where: in all applications and environments (null), or in those that are named. */
export const memberAccess = z.strictObject({ role: memberRole, applications: limit, environments: limit });
export type MemberAccess = z.infer<typeof memberAccess>;

/** The same as it is asked for: what is left out is all. */
export const wantedAccess = z.strictObject({
  role: memberRole,
  applications: limit.optional(),
  environments: limit.optional(),
});
export type WantedAccess = z.infer<typeof wantedAccess>;

/** Whether an access limits a role that cannot be limited so; undefined when anybody can have it. */
export function findAccessFault(access: WantedAccess): 'limited_manager' | 'operator_of_environments' | undefined {
  const { role, applications = null, environments = null } = access;
  if (role === 'manager' && (applications ?? environments) !== null) return 'limited_manager';
  return role === 'application_operator' && environments !== null ? 'operator_of_environments' : undefined;
}

/** Where somebody may act. */
export type Limits = {
  readonly applications: readonly string[] | null;
  readonly environments: readonly string[] | null;
};

/** Everywhere. */
export const NO_LIMITS: Limits = { applications: null, environments: null };

/** Whether something is limited at all. */
export function isLimited({ applications, environments }: Limits): boolean {
  return applications !== null || environments !== null;
}

/** So many applications, or environments, are named in one sentence. */
const NAMED_MAX = 5;

/** Limits as prose names them: `the applications a and b and the environment test`. */
export function nameLimits({ applications, environments }: Limits): string {
  const parts = [
    ...(applications === null ? [] : [nameSome('application', applications)]),
    ...(environments === null ? [] : [nameSome('environment', environments)]),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(' and ');
}

function nameSome(noun: string, names: readonly string[]): string {
  if (names.length === 1) return `the ${noun} ${names.join('')}`;
  const others = names.length - NAMED_MAX;
  const listed = others > 1 ? [...names.slice(0, NAMED_MAX), `${others} others`] : names;
  return `the ${noun}s ${listed.slice(0, -1).join(', ')} and ${listed.at(-1) ?? ''}`;
}

/** The role of the interface that a role is. */
export function roleOf(member: MemberRole): 'manager' | 'member' {
  return member === 'manager' ? 'manager' : 'member';
}

/** What a thing belongs to; some, such as evidence, have no environment. */
export type Belonging = { readonly application_key: string; readonly environment?: string | undefined };

/** Whether a thing is within limits. What has no environment is outside of those that name environments. */
export function isWithin(
  { applications, environments }: Limits,
  { application_key: application, environment }: Belonging,
): boolean {
  if (applications !== null && !applications.includes(application)) return false;
  return environments === null || (environment !== undefined && environments.includes(environment));
}

/** What a list is narrowed to besides its filters. */
export type Within = { readonly within?: Limits | undefined };
