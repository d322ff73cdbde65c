import { ServiceError } from '../problems.ts';
import { type Limits, type MemberAccess, type MemberRole, nameLimits, ROLE_NAMES } from '../roles.ts';
import type { Scope } from '../tokens.ts';
import type { Right } from './operation.ts';

/** Who may: the scope that an application needs (null: no application may), and the roles of people. */
export type AccessRule = { readonly application: Scope | 'any' | null; readonly people: readonly MemberRole[] };

const MANAGERS = ['manager'] as const;
const AUDITORS = ['manager', 'auditor'] as const;
const WRITERS = ['manager', 'member'] as const;
const REVIEWERS = ['manager', 'reviewer'] as const;
const OPERATORS = ['manager', 'application_operator'] as const;
/** Who reads what applications asked and were answered, with its texts. */
const TEXT_READERS = ['manager', 'member', 'reviewer', 'read_only'] as const;
/** Who reads the same; an auditor without any text. */
const READERS = [...TEXT_READERS, 'auditor'] as const;
const EVERYBODY = [...READERS, 'application_operator'] as const;

/**
 * Who may do what. Enforcement, the published table and the tests all derive from it. What somebody may do is limited
 * to their applications and environments by the operation (`limitOf`).
 */
export const ACCESS_MATRIX: Readonly<Record<Right, AccessRule>> = {
  'records.create': { application: 'answer_audit:create', people: WRITERS },
  'records.read': { application: 'answer_audit:read', people: READERS },
  'texts.read': { application: 'answer_audit:read', people: TEXT_READERS },
  'records.export': { application: null, people: MANAGERS },
  'events.append': { application: null, people: REVIEWERS },
  'events.manage': { application: null, people: MANAGERS },
  packs: { application: null, people: AUDITORS },
  proof_links: { application: 'answer_audit:read', people: MANAGERS },
  'evidence.create': { application: 'answer_audit:create', people: WRITERS },
  'evidence.read': { application: 'answer_audit:evidence:read', people: READERS },
  'evidence.texts': { application: 'answer_audit:evidence:read', people: TEXT_READERS },
  'evidence.accesses': { application: null, people: AUDITORS },
  'telemetry.send': { application: 'answer_audit:create', people: WRITERS },
  'telemetry.explain': { application: 'answer_audit:create', people: [...WRITERS, 'application_operator'] },
  'telemetry.read': { application: 'answer_audit:read', people: EVERYBODY },
  'trust.read': { application: 'answer_audit:read', people: READERS },
  'trust.manage': { application: null, people: MANAGERS },
  'ledger.check': { application: null, people: AUDITORS },
  'entries.read': { application: null, people: AUDITORS },
  'settings.read': { application: null, people: AUDITORS },
  'settings.manage': { application: null, people: MANAGERS },
  'hash_keys.manage': { application: null, people: MANAGERS },
  deadletters: { application: null, people: MANAGERS },
  'reconciliations.read': { application: 'answer_audit:reconcile', people: READERS },
  'reconciliations.run': { application: 'answer_audit:reconcile', people: WRITERS },
  'triage.read': { application: null, people: READERS },
  'triage.manage': { application: null, people: MANAGERS },
  triage: { application: null, people: ['manager', 'member', 'reviewer'] },
  'holds.read': { application: null, people: AUDITORS },
  'holds.manage': { application: null, people: MANAGERS },
  'members.read': { application: null, people: AUDITORS },
  'members.change': { application: null, people: MANAGERS },
  notifications: { application: null, people: MANAGERS },
  'notifications.own': { application: null, people: EVERYBODY },
  streams: { application: null, people: MANAGERS },
  approvals: { application: null, people: MANAGERS },
  'approvals.read': { application: null, people: AUDITORS },
  'tokens.own': { application: null, people: EVERYBODY },
  'tokens.applications': { application: null, people: OPERATORS },
  'tokens.texts': { application: null, people: MANAGERS },
  overview: { application: null, people: EVERYBODY },
  'views.read': { application: null, people: READERS },
  'views.change': { application: null, people: ['manager', 'member', 'reviewer'] },
  'views.manage': { application: null, people: MANAGERS },
  whoami: { application: 'any', people: EVERYBODY },
};

/** What the API description calls a right in `x-access`, where a right that it has always named was divided. */
const PUBLISHED_RIGHTS: Readonly<Partial<Record<Right, string>>> = {
  'evidence.texts': 'evidence.read',
  'reconciliations.read': 'reconciliations',
  'reconciliations.run': 'reconciliations',
  'telemetry.explain': 'records.create',
  'telemetry.send': 'records.create',
  'telemetry.read': 'records.read',
  'texts.read': 'records.read',
  packs: 'records.export',
  'settings.read': 'settings.manage',
  'triage.read': 'triage',
  'views.change': 'views',
  'views.read': 'views',
};

/** A right by its published name, which stays as it is. */
export function publishedRight(right: Right | 'public'): string {
  return right === 'public' ? right : (PUBLISHED_RIGHTS[right] ?? right);
}

/** The refusal of somebody whose role lacks a right: it says whose has it. */
export function roleNotAllowed(right: Right): ServiceError {
  return new ServiceError('role_not_allowed', `only ${nameRoles(ACCESS_MATRIX[right].people)} may do this; ask one`);
}

/** The refusal of somebody who has the right elsewhere: it says where they have it, and who has it here. */
export function outsideOfLimits(limits: Limits): ServiceError {
  return new ServiceError(
    'application_not_allowed',
    `your role is limited to ${nameLimits(limits)}; ask somebody whose role is not, such as a manager`,
  );
}

/** Roles as prose names them. */
export function nameRoles(roles: readonly MemberRole[]): string {
  const [last = '', ...others] = roles.map((role) => ROLE_NAMES[role]).toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
}

/** Whether everything that one access allows is allowed by the other. */
export function isCovered(one: MemberAccess, by: MemberAccess): boolean {
  const isListed = (names: readonly string[] | null, within: readonly string[] | null) =>
    within === null || (names !== null && names.every((name) => within.includes(name)));
  return (
    Object.values(ACCESS_MATRIX).every(({ people }) => !people.includes(one.role) || people.includes(by.role)) &&
    isListed(one.applications, by.applications) &&
    isListed(one.environments, by.environments)
  );
}
