import { describe, expect, it } from '@jest/globals';
import { MEMBER_ROLES, type MemberRole, READING_RULES } from '@answer-evidence/contracts';
import type { Caller } from './callers.ts';
import { decideReading } from './decide-reading.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';
const common = { workspaceId: ID, tokenId: ID, expiresAt: 1 };
const application: Caller = { ...common, kind: 'application', applicationKey: 'bot', scopes: [] };
const person = (role: MemberRole): Caller => ({ ...common, kind: 'user', userId: ID, username: 'mia', role });
const WITHOUT_TEXTS: readonly MemberRole[] = ['auditor', 'application_operator'];

describe('decideReading', () => {
  it.each(MEMBER_ROLES)('gives %s texts without a reason as the rule says, or never', (role) => {
    const decided = READING_RULES.map((rule) => decideReading(rule, person(role), false));
    const never = ['withhold', 'withhold', 'withhold'];
    expect(decided).toEqual(WITHOUT_TEXTS.includes(role) ? never : ['free', 'entry', 'withhold']);
  });

  it.each(READING_RULES)('keeps every reason, and lets an application read by its scopes, under %s', (rule) => {
    for (const caller of [person('member'), application]) expect(decideReading(rule, caller, true)).toBe('entry');
    for (const role of WITHOUT_TEXTS) expect(decideReading(rule, person(role), true)).toBe('withhold');
    expect(decideReading(rule, application, false)).toBe('free');
  });
});
