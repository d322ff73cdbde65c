import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Actor, MemberChange } from '@answer-evidence/contracts';
import { idOf } from '../fixtures/rows.ts';
import { hasApprover, type MemberChangeSeen, type MemberState, refuseApprover } from './index.ts';

const ASKED_AT = 1_000;
const PEOPLE = 4;

type Person = {
  readonly manager: boolean;
  readonly disabled: boolean;
  readonly removed: boolean;
  readonly entry: string;
};

const person: fc.Arbitrary<Person> = fc.record({
  manager: fc.boolean(),
  disabled: fc.boolean(),
  removed: fc.boolean(),
  entry: fc.constantFrom('password', 'link', 'token', 'old-token', 'provider', 'none'),
});
const people = fc.array(person, { minLength: PEOPLE, maxLength: PEOPLE });
const change: fc.Arbitrary<MemberChangeSeen> = fc.record({
  memberId: fc.nat(PEOPLE - 1).map((n) => idOf(n + 1)),
  changes: fc.array(
    fc.constantFrom<MemberChange>(
      'added',
      'role_changed',
      'access_changed',
      'enabled',
      'disabled',
      'password_set',
      'password_link_issued',
      'provider_linked',
    ),
    { minLength: 1, maxLength: 3 },
  ),
  actor: fc.nat(PEOPLE - 1).map((n) => userOf(n + 1)),
  at: fc.integer({ min: ASKED_AT - 5, max: ASKED_AT + 5 }),
});

function userOf(n: number, token = 0): Actor {
  return { kind: 'user', id: idOf(n), token_id: token === 0 ? null : idOf(0x100 + token) };
}

function stateOf({ manager, disabled, removed, entry }: Person, n: number): MemberState {
  return {
    row: {
      id: idOf(n + 1),
      username: `user-${n + 1}`,
      role: manager ? 'manager' : 'member',
      access_json: null,
      role_source: null,
      created_at: 1,
      disabled_at: disabled ? 2 : null,
      removed_at: removed ? 2 : null,
      version: 1,
    },
    credential: entry === 'password' || entry === 'link' ? { entryId: idOf(0x500 + n), kind: entry } : undefined,
    provider: entry === 'provider' ? { entryId: idOf(0x600 + n), issuer: 'i', subject: `s${n}` } : undefined,
    tokens:
      entry === 'token' || entry === 'old-token'
        ? [{ id: idOf(0x700 + n), expiresAt: entry === 'token' ? ASKED_AT * 2 : ASKED_AT / 2 }]
        : [],
  };
}

const GIVES_RIGHTS: readonly string[] = ['added', 'role_changed', 'access_changed', 'enabled'];
const GIVES_ENTRY: readonly string[] = ['password_link_issued', 'provider_linked'];
const isActiveManager = (one: Person | undefined) => one?.manager === true && !one.disabled && !one.removed;
const asked = { requester: userOf(1, 1), askedAt: ASKED_AT, right: 'events.manage' } as const;

describe('who may approve', () => {
  it('is exactly another active manager whose role and entry nobody gave them since', () => {
    fc.assert(
      fc.property(people, fc.array(change, { maxLength: 4 }), fc.integer({ min: 1, max: PEOPLE }), (all, seen, n) => {
        const members = all.map(stateOf);
        const since = seen.filter(({ memberId, at }) => memberId === idOf(n) && at > ASKED_AT);
        const isGiven = since.some(({ changes }) => changes.some((one) => GIVES_RIGHTS.includes(one)));
        const isEntered = since.some(
          ({ changes, actor }) => actor.id === idOf(1) && changes.some((one) => GIVES_ENTRY.includes(one)),
        );
        // The last of what is said of their password before.
        const before = seen.filter(({ memberId, at }) => memberId === idOf(n) && at <= ASKED_AT);
        const [last] = before.filter(({ changes }) => changes.some((one) => one.startsWith('password_'))).slice(-1);
        const isOpen = last?.actor.id === idOf(1) && last.changes.includes('password_link_issued');
        const expected = n !== 1 && isActiveManager(all[n - 1]) && !isGiven && !isEntered && !isOpen;
        expect(refuseApprover(userOf(n, 2), members, seen, asked) === undefined).toBe(expected);
      }),
    );
  });

  it('is nobody whom the one that asked can still enter as by a link made before, and somebody who used it', () => {
    const members = [0, 1].map((n) =>
      stateOf({ manager: true, disabled: false, removed: false, entry: 'password' }, n),
    );
    const link = { memberId: idOf(2), changes: ['password_link_issued' as const], actor: userOf(1), at: ASKED_AT - 2 };
    const used = { memberId: idOf(2), changes: ['password_set' as const], actor: userOf(2), at: ASKED_AT - 1 };
    const late = { ...used, at: ASKED_AT + 1 };
    expect(refuseApprover(userOf(2), members, [link], asked)).toMatchObject({ code: 'approval_not_allowed' });
    expect(refuseApprover(userOf(2), members, [link, late], asked)).toMatchObject({ code: 'approval_not_allowed' });
    expect(refuseApprover(userOf(2), members, [link, used], asked)).toBeUndefined();
    expect(refuseApprover(userOf(2), members, [{ ...link, actor: userOf(2) }], asked)).toBeUndefined();
  });

  it('is never who asked, by any token, nor an application or the service', () => {
    fc.assert(
      fc.property(people, fc.array(change), fc.nat(5), (all, seen, token) => {
        const members = all.map(stateOf);
        expect(refuseApprover(userOf(1, token), members, seen, asked)).toBeDefined();
        for (const kind of ['application', 'service'] as const)
          expect(refuseApprover({ kind, id: 'support-bot', token_id: null }, members, seen, asked)).toBeDefined();
      }),
    );
  });

  it('is never somebody who is at the provider who the one is that asked', () => {
    const members = [0, 1].map((n) =>
      stateOf({ manager: true, disabled: false, removed: false, entry: 'provider' }, n),
    );
    const [one, other] = members;
    if (one?.provider === undefined || other === undefined) throw new Error('there are two');
    expect(refuseApprover(userOf(2), members, [], asked)).toBeUndefined();
    const same = [one, { ...other, provider: one.provider }];
    expect(refuseApprover(userOf(2), same, [], asked)).toMatchObject({ code: 'approval_not_allowed' });
  });

  it('is there exactly if another active manager can sign in or has a token', () => {
    fc.assert(
      fc.property(people, (all) => {
        const can = ({ entry }: Person) => ['password', 'token', 'provider'].includes(entry);
        const expected = all.some((one, n) => n !== 0 && isActiveManager(one) && can(one));
        expect(hasApprover(all.map(stateOf), asked, ASKED_AT)).toBe(expected);
      }),
    );
  });
});
