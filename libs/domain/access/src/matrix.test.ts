import { describe, expect, it } from '@jest/globals';
import { type Scope, SCOPES, ServiceError } from '@answer-evidence/contracts';
import type { Right } from '@answer-evidence/contracts/operations';
import { actorOf, type ApplicationCaller, type UserCaller } from './callers.ts';
import { assertAllowed, assertApplication, boundApplication, isAllowed } from './matrix.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';

function application(...scopes: readonly Scope[]): ApplicationCaller {
  return { kind: 'application', workspaceId: ID, tokenId: ID, applicationKey: 'bot', scopes, expiresAt: 1 };
}

function user(role: UserCaller['role']): UserCaller {
  return { kind: 'user', workspaceId: ID, tokenId: ID, userId: ID, username: 'mia', role, expiresAt: 1 };
}

const CALLERS = {
  manager: user('manager'),
  member: user('member'),
  creator: application('answer_audit:create'),
  reader: application('answer_audit:read'),
  reconciler: application('answer_audit:reconcile'),
  retriever: application('answer_audit:evidence:read'),
  powerless: application(),
};

const KIND = 'token_kind_not_allowed';
const SCOPE = 'scope_missing';
const ROLE = 'role_not_allowed';

/** Who may do what; a code where they may not. */
const TABLE: Readonly<Record<Right, Readonly<Record<keyof typeof CALLERS, string>>>> = {
  'records.create': {
    manager: 'yes',
    member: 'yes',
    creator: 'yes',
    reader: SCOPE,
    reconciler: SCOPE,
    retriever: SCOPE,
    powerless: SCOPE,
  },
  'records.read': {
    manager: 'yes',
    member: 'yes',
    creator: SCOPE,
    reader: 'yes',
    reconciler: SCOPE,
    retriever: SCOPE,
    powerless: SCOPE,
  },
  'trust.read': {
    manager: 'yes',
    member: 'yes',
    creator: SCOPE,
    reader: 'yes',
    reconciler: SCOPE,
    retriever: SCOPE,
    powerless: SCOPE,
  },
  notifications: {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  proof_links: {
    manager: 'yes',
    member: ROLE,
    creator: SCOPE,
    reader: 'yes',
    reconciler: SCOPE,
    retriever: SCOPE,
    powerless: SCOPE,
  },
  'trust.manage': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'events.append': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'records.export': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'ledger.check': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'settings.manage': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  triage: {
    manager: 'yes',
    member: 'yes',
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'entries.read': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'members.read': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'members.change': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'hash_keys.manage': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  deadletters: {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  reconciliations: {
    manager: 'yes',
    member: 'yes',
    creator: SCOPE,
    reader: SCOPE,
    reconciler: 'yes',
    retriever: SCOPE,
    powerless: SCOPE,
  },
  'evidence.create': {
    manager: 'yes',
    member: 'yes',
    creator: 'yes',
    reader: SCOPE,
    reconciler: SCOPE,
    retriever: SCOPE,
    powerless: SCOPE,
  },
  'evidence.read': {
    manager: 'yes',
    member: 'yes',
    creator: SCOPE,
    reader: SCOPE,
    reconciler: SCOPE,
    retriever: 'yes',
    powerless: SCOPE,
  },
  'evidence.accesses': {
    manager: 'yes',
    member: ROLE,
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  'tokens.own': {
    manager: 'yes',
    member: 'yes',
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  overview: {
    manager: 'yes',
    member: 'yes',
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  views: {
    manager: 'yes',
    member: 'yes',
    creator: KIND,
    reader: KIND,
    reconciler: KIND,
    retriever: KIND,
    powerless: KIND,
  },
  whoami: {
    manager: 'yes',
    member: 'yes',
    creator: 'yes',
    reader: 'yes',
    reconciler: 'yes',
    retriever: 'yes',
    powerless: 'yes',
  },
};

const CELLS = Object.entries(TABLE).flatMap(([right, row]) =>
  Object.entries(row).map(([caller, answer]) => [caller, right, answer] as const),
);

describe('the access matrix', () => {
  it.each(CELLS)('lets a %s do %s: %s', (name, right, expected) => {
    const caller = CALLERS[name as keyof typeof CALLERS];
    let answer = 'yes';
    try {
      assertAllowed(caller, right as Right);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      answer = error.code;
    }
    expect(answer).toBe(expected);
    expect(isAllowed(caller, right as Right)).toBe(expected === 'yes');
  });

  it('gives an application with every scope no more than each scope alone does', () => {
    const all = application(...SCOPES);
    for (const right of Object.keys(TABLE) as readonly Right[]) {
      const alone = [CALLERS.creator, CALLERS.reader, CALLERS.reconciler, CALLERS.retriever];
      expect(isAllowed(all, right)).toBe(alone.some((caller) => isAllowed(caller, right)));
    }
  });
});

describe('an application token', () => {
  it('meets its own application’s resources only; a user meets all', () => {
    expect(() => assertApplication(CALLERS.creator, 'bot')).not.toThrow();
    for (const other of ['Bot', 'bot ', 'another', ''])
      expect(() => assertApplication(CALLERS.creator, other)).toThrow('bound to another application key');
    expect(() => assertApplication(CALLERS.member, 'another')).not.toThrow();
    expect(boundApplication(CALLERS.reader)).toBe('bot');
    expect(boundApplication(CALLERS.manager)).toBeUndefined();
  });

  it('is named by its application, a user by their id, both with their token', () => {
    expect(actorOf(CALLERS.creator)).toEqual({ kind: 'application', id: 'bot', token_id: ID });
    expect(actorOf(CALLERS.member)).toEqual({ kind: 'user', id: ID, token_id: ID });
  });
});
