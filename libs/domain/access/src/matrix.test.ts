import { describe, expect, it } from '@jest/globals';
import {
  LIMITS_MAX,
  MEMBER_ROLES,
  type MemberRole,
  nameLimits,
  type Scope,
  SCOPES,
  ServiceError,
} from '@answer-evidence/contracts';
import type { Operation, OperationLimit, Right } from '@answer-evidence/contracts/operations';
import * as operations from '@answer-evidence/contracts/operations';
import { actorOf, type ApplicationCaller, type UserCaller } from './callers.ts';
import { assertAllowed, assertApplication, assertWithinLimits, boundsOf, isAllowed } from './matrix.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';

function application(...scopes: readonly Scope[]): ApplicationCaller {
  return { kind: 'application', workspaceId: ID, tokenId: ID, applicationKey: 'bot', scopes, expiresAt: 1 };
}

function user(role: MemberRole, limits?: UserCaller['limits']): UserCaller {
  const of = { kind: 'user', workspaceId: ID, tokenId: ID, userId: ID, username: 'mia', role, expiresAt: 1 } as const;
  return limits === undefined ? of : { ...of, limits };
}

/** Who may do what, said a second time: the scope of applications, and the roles of people. */
const TABLE: Readonly<Record<Right, readonly [scope: string | null, people: string]>> = {
  'records.create': ['create', 'manager member'],
  'records.read': ['read', 'manager member reviewer auditor read_only'],
  'texts.read': ['read', 'manager member reviewer read_only'],
  'records.export': [null, 'manager'],
  'events.append': [null, 'manager reviewer'],
  'events.manage': [null, 'manager'],
  packs: [null, 'manager auditor'],
  proof_links: ['read', 'manager'],
  'evidence.create': ['create', 'manager member'],
  'evidence.read': ['evidence:read', 'manager member reviewer auditor read_only'],
  'evidence.texts': ['evidence:read', 'manager member reviewer read_only'],
  'evidence.accesses': [null, 'manager auditor'],
  'telemetry.send': ['create', 'manager member'],
  'telemetry.explain': ['create', 'manager member application_operator'],
  'telemetry.read': ['read', 'manager member reviewer application_operator auditor read_only'],
  'trust.read': ['read', 'manager member reviewer auditor read_only'],
  'trust.manage': [null, 'manager'],
  'ledger.check': [null, 'manager auditor'],
  'entries.read': [null, 'manager auditor'],
  'settings.read': [null, 'manager auditor'],
  'settings.manage': [null, 'manager'],
  'hash_keys.manage': [null, 'manager'],
  deadletters: [null, 'manager'],
  'reconciliations.read': ['reconcile', 'manager member reviewer auditor read_only'],
  'reconciliations.run': ['reconcile', 'manager member'],
  'triage.read': [null, 'manager member reviewer auditor read_only'],
  triage: [null, 'manager member reviewer'],
  'triage.manage': [null, 'manager'],
  'holds.read': [null, 'manager auditor'],
  'holds.manage': [null, 'manager'],
  'members.read': [null, 'manager auditor'],
  'members.change': [null, 'manager'],
  notifications: [null, 'manager'],
  'notifications.own': [null, 'manager member reviewer auditor read_only application_operator'],
  streams: [null, 'manager'],
  approvals: [null, 'manager'],
  'approvals.read': [null, 'manager auditor'],
  'tokens.own': [null, 'manager member reviewer application_operator auditor read_only'],
  'tokens.applications': [null, 'manager application_operator'],
  'tokens.texts': [null, 'manager'],
  overview: [null, 'manager member reviewer application_operator auditor read_only'],
  'views.read': [null, 'manager member reviewer auditor read_only'],
  'views.change': [null, 'manager member reviewer'],
  'views.manage': [null, 'manager'],
  whoami: ['any', 'manager member reviewer application_operator auditor read_only'],
};

function answerTo(caller: UserCaller | ApplicationCaller, right: Right): string {
  try {
    assertAllowed(caller, right);
    return 'yes';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code;
  }
}

const RIGHTS = Object.entries(TABLE).map(([right, row]) => [right as Right, ...row] as const);

describe('the access matrix', () => {
  it.each(RIGHTS)('lets these do %s, and no others: scope %s, %s', (right, scope, people) => {
    for (const role of MEMBER_ROLES) {
      const isAmong = people.split(' ').includes(role);
      expect([role, answerTo(user(role), right)]).toEqual([role, isAmong ? 'yes' : 'role_not_allowed']);
      expect(isAllowed(user(role), right)).toBe(isAmong);
    }
    for (const one of [undefined, ...SCOPES]) {
      const refusal = scope === null ? 'token_kind_not_allowed' : 'scope_missing';
      const isRight = scope === 'any' || (scope !== null && one === `answer_audit:${scope}`);
      const caller = application(...(one === undefined ? [] : [one]));
      expect([one, answerTo(caller, right)]).toEqual([one, isRight ? 'yes' : refusal]);
    }
  });

  it('gives an application with every scope no more than each scope alone does', () => {
    for (const [right] of RIGHTS)
      expect(isAllowed(application(...SCOPES), right)).toBe(SCOPES.some((one) => isAllowed(application(one), right)));
  });

  it('says in a refusal which roles may', () => {
    const refuse = (right: Right) => () => assertAllowed(user('read_only'), right);
    expect(refuse('members.change')).toThrow('only a manager may do this; ask one');
    expect(refuse('packs')).toThrow('only a manager or an auditor may do this; ask one');
    expect(refuse('triage')).toThrow('only a manager, a member or a reviewer may do this; ask one');
    expect(() => assertAllowed(application(), 'events.append')).toThrow('use a user token of a manager or a reviewer');
  });
});

describe('the limits of a role', () => {
  const declared = (Object.values(operations) as readonly unknown[]).filter(
    (one): one is Operation => typeof one === 'object' && one !== null && 'operationId' in one,
  );
  const outcomeOf = (limits: UserCaller['limits'], operationId: string) => {
    try {
      assertWithinLimits(user('member', limits), { operationId, access: 'records.read' });
      return 'in';
    } catch (error) {
      return error instanceof ServiceError ? error.code : error;
    }
  };

  it('are decided for operations that exist and are not public', () => {
    const ids = declared.filter(({ access }) => access !== 'public').map(({ operationId }) => operationId);
    expect(operations.LIMITED_OPERATIONS.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('are named by a refusal, beside the roles that may without them', () => {
    const meet = (limits: UserCaller['limits'], operationId: string, access: Right) => () =>
      assertWithinLimits(user('auditor', limits), { operationId, access });
    expect(meet({ applications: ['a', 'b', 'c'], environments: null }, 'listWorkspaceEntries', 'entries.read')).toThrow(
      'this is about the whole workspace, and your role is limited to the applications a, b and c; ' +
        'ask a manager or an auditor without limits',
    );
    expect(meet({ applications: null, environments: ['test'] }, 'listEvidenceAccesses', 'evidence.accesses')).toThrow(
      'your role is limited to the environment test; ask a manager or an auditor who is not limited to environments',
    );
    const many = Array.from({ length: LIMITS_MAX }, (_, n) => `bot-${n}`);
    expect(nameLimits({ applications: many, environments: null })).toBe(
      `the applications bot-0, bot-1, bot-2, bot-3, bot-4 and ${LIMITS_MAX - 5} others`,
    );
    expect(nameLimits({ applications: many.slice(0, 6), environments: null })).toMatch(/bot-4 and bot-5$/);
  });

  it('refuse what has no decision', () => {
    expect(outcomeOf({ applications: ['bot'], environments: null }, 'anInvention')).toBe('role_not_allowed');
  });

  it.each<[OperationLimit, string, string, string]>([
    ['own', 'listAnswerRecords', 'in', 'in'],
    ['application', 'listEvidenceAssets', 'in', 'role_not_allowed'],
    ['workspace', 'listWorkspaceEntries', 'role_not_allowed', 'role_not_allowed'],
    ['none', 'listAnchors', 'in', 'in'],
  ])('decide %s: %s', (decision, operationId, ofApplications, ofEnvironments) => {
    expect(operations.limitOf(operationId)).toBe(decision);
    expect(outcomeOf(undefined, operationId)).toBe('in');
    expect(outcomeOf({ applications: ['bot'], environments: null }, operationId)).toBe(ofApplications);
    expect(outcomeOf({ applications: null, environments: ['test'] }, operationId)).toBe(ofEnvironments);
  });
});

describe('what a caller meets', () => {
  const code = 'application_not_allowed';
  const limited = user('member', { applications: ['bot'], environments: ['test'] });

  it('is of an application token’s own application; a user without limits meets all', () => {
    const reader = application('answer_audit:read');
    expect(() => assertApplication(reader, { application_key: 'bot', environment: 'any' })).not.toThrow();
    for (const other of ['Bot', 'bot ', 'another', ''])
      expect(() => assertApplication(reader, { application_key: other })).toThrow('bound to another application key');
    expect(() => assertApplication(user('member'), { application_key: 'another' })).not.toThrow();
    expect(boundsOf(reader)).toEqual({ applications: ['bot'], environments: null });
    expect(boundsOf(user('manager'))).toBeUndefined();
  });

  it('is within the limits of a role, by application and by environment', () => {
    const meet = (key: string, environment?: string) => () =>
      assertApplication(limited, { application_key: key, environment });
    expect(meet('bot', 'test')).not.toThrow();
    for (const other of [meet('bot', 'production'), meet('bot'), meet('other', 'test'), meet('Bot', 'test')])
      expect(other).toThrow(expect.objectContaining({ code }));
    expect(boundsOf(limited)).toEqual({ applications: ['bot'], environments: ['test'] });
    expect(meet('other')).toThrow(
      'your role is limited to the application bot and the environment test; ask somebody whose role is not, such as',
    );
  });

  it('is noted by its application, or by a user’s id, both with their token', () => {
    expect(actorOf(application())).toEqual({ kind: 'application', id: 'bot', token_id: ID });
    expect(actorOf(user('member'))).toEqual({ kind: 'user', id: ID, token_id: ID });
  });
});
