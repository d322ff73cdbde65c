import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  MEMBER_ROLES,
  type MemberAccess,
  NO_LIMITS,
  NOTIFICATION_TYPES,
  type NotificationType,
} from '@answer-evidence/contracts';
import { mayBeTold, typesFor } from './notification-rules.ts';

const everywhere = (role: MemberAccess['role']): MemberAccess => ({ role, applications: null, environments: null });
const APPLICATION = { application_key: 'support-bot' };

describe('who is told', () => {
  it('are managers of everything, and others of what their role reads', () => {
    const told = (type: NotificationType, about = {}) =>
      MEMBER_ROLES.filter((role) => mayBeTold(everywhere(role), type, about));
    for (const type of NOTIFICATION_TYPES)
      expect([type, told(type)]).toEqual([type, expect.arrayContaining(['manager'])]);
    expect(told('record.redacted', APPLICATION)).toEqual(['manager', 'member', 'reviewer', 'auditor', 'read_only']);
    expect(told('hold.placed')).toEqual(['manager', 'auditor']);
    expect(told('jobs.given_up')).toEqual(['manager']);
    expect(told('token.ends', APPLICATION)).toEqual(['manager', 'application_operator']);
    // A token of a person names no application.
    expect(told('token.ends', { application_key: null })).toEqual(['manager']);
  });

  it('who is limited is told of their applications alone, and of nothing that is about the whole workspace', () => {
    const reviewer: MemberAccess = { role: 'reviewer', applications: ['support-bot'], environments: null };
    expect(mayBeTold(reviewer, 'record.redacted', APPLICATION)).toBe(true);
    expect(mayBeTold(reviewer, 'record.redacted', { application_key: 'other' })).toBe(false);
    expect(mayBeTold({ ...reviewer, role: 'auditor' }, 'hold.placed', {})).toBe(false);
    // What is told has no environment, so nobody knows whether it is theirs.
    expect(mayBeTold({ ...reviewer, environments: ['test'] }, 'record.redacted', APPLICATION)).toBe(false);
    expect(typesFor({ ...reviewer, environments: ['test'] })).not.toContain('record.redacted');
    expect(typesFor(reviewer)).toContain('record.redacted');
  });

  it('limits take, and never add', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.constantFrom(...MEMBER_ROLES),
        fc.option(names),
        fc.option(names),
        fc.constantFrom(...NOTIFICATION_TYPES),
        fc.constantFrom('a', 'b', null),
        (role, applications, environments, type, application) => {
          const about = { application_key: application };
          const isTold = mayBeTold({ role, applications, environments }, type, about);
          return !isTold || mayBeTold({ role, ...NO_LIMITS } as MemberAccess, type, about);
        },
      ),
    );
  });
});
