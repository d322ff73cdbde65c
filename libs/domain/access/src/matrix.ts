import { type Role, type Scope, ServiceError } from '@answer-evidence/contracts';
import type { Right } from '@answer-evidence/contracts/operations';
import type { Caller } from './callers.ts';

/** Who may: the scope that an application needs (null: no application may), and the least role of a user. */
type Rule = { readonly application: Scope | 'any' | null; readonly user: Role };

const MATRIX: Readonly<Record<Right, Rule>> = {
  'records.create': { application: 'answer_audit:create', user: 'member' },
  'records.read': { application: 'answer_audit:read', user: 'member' },
  'trust.read': { application: 'answer_audit:read', user: 'member' },
  'trust.manage': { application: null, user: 'manager' },
  'evidence.create': { application: 'answer_audit:create', user: 'member' },
  'evidence.read': { application: 'answer_audit:evidence:read', user: 'member' },
  'evidence.accesses': { application: null, user: 'manager' },
  'events.append': { application: null, user: 'manager' },
  proof_links: { application: 'answer_audit:read', user: 'manager' },
  'records.export': { application: null, user: 'manager' },
  'ledger.check': { application: null, user: 'manager' },
  'settings.manage': { application: null, user: 'manager' },
  'entries.read': { application: null, user: 'manager' },
  'hash_keys.manage': { application: null, user: 'manager' },
  deadletters: { application: null, user: 'manager' },
  reconciliations: { application: 'answer_audit:reconcile', user: 'member' },
  triage: { application: null, user: 'member' },
  'members.read': { application: null, user: 'manager' },
  'members.change': { application: null, user: 'manager' },
  notifications: { application: null, user: 'manager' },
  'tokens.own': { application: null, user: 'member' },
  overview: { application: null, user: 'member' },
  views: { application: null, user: 'member' },
  whoami: { application: 'any', user: 'member' },
};

/** Throws `token_kind_not_allowed`, `scope_missing` or `role_not_allowed` unless the caller has the right. */
export function assertAllowed(caller: Caller, right: Right): void {
  const rule = MATRIX[right];
  if (caller.kind === 'application') {
    if (rule.application === null)
      throw new ServiceError('token_kind_not_allowed', 'application tokens are not allowed here; use a user token');
    if (rule.application !== 'any' && !caller.scopes.includes(rule.application))
      throw new ServiceError(
        'scope_missing',
        `the token lacks the scope ${rule.application}; use one that was issued with it`,
      );
    return;
  }
  if (rule.user === 'manager' && caller.role !== 'manager')
    throw new ServiceError('role_not_allowed', 'only a tenant manager may do this; ask one');
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

/** Throws `application_not_allowed` when an application token meets another application's resource. */
export function assertApplication(caller: Caller, applicationKey: string): void {
  if (caller.kind === 'application' && caller.applicationKey !== applicationKey)
    throw new ServiceError(
      'application_not_allowed',
      'the token is bound to another application key; use a token of the application in question',
    );
}

/** The one application that a caller's lists are narrowed to, or undefined when all are open. */
export function boundApplication(caller: Caller): string | undefined {
  return caller.kind === 'application' ? caller.applicationKey : undefined;
}
