import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import type { CredentialRow, MemberRow } from '@answer-evidence/tables';
import { hashOf, idOf } from '../../fixtures/rows.ts';
import { WORKSPACE } from '../../fixtures/steps.ts';
import {
  type AppendCommand,
  createMemberCommand,
  createTokenCommand,
  EMPTY_HEAD,
  type LoadedState,
  type MemberState,
  NOTHING_KNOWN,
  planAppend,
  type WantedMember,
} from '../index.ts';

const SERVICE = { kind: 'service', id: 'test', token_id: null } as const;
const NONCE = '0'.repeat(32);
const LATER = 2_000_000_000_000_000;
const judge = () => undefined;

function member(n: number, more: Partial<MemberRow> = {}, state: Partial<MemberState> = {}): MemberState {
  const row: MemberRow = {
    id: idOf(n),
    username: `user-${n}`,
    role: 'manager',
    access_json: null,
    role_source: null,
    created_at: 1,
    disabled_at: null,
    removed_at: null,
    version: 1,
    ...more,
  };
  return { row, credential: { entryId: idOf(0x500 + n), kind: 'password' }, tokens: [], ...state };
}

function credential(n: number, entry: number, kind: 'password' | 'link'): CredentialRow {
  const isLink = kind === 'link';
  return {
    member_id: idOf(n),
    entry_id: idOf(entry),
    password_hash: isLink ? null : 'hash',
    link_hash: isLink ? hashOf('link') : null,
    link_expires_at: isLink ? LATER : null,
    mac: hashOf('mac'),
  };
}

function change(n: number, entry: number, wanted: WantedMember, by?: number): AppendCommand {
  const actor = by === undefined ? SERVICE : ({ kind: 'user', id: idOf(by), token_id: null } as const);
  const of = { workspaceId: WORKSPACE, memberId: idOf(n), identity: { id: idOf(entry), nonce: NONCE }, actor };
  return createMemberCommand(of, wanted);
}

const demote = { kind: 'change', access: { role: 'member', access_json: null }, revocations: [], judge } as const;
const disable = { kind: 'change', disabled: true, revocations: [], judge } as const;
const remove = { kind: 'remove', revocations: [], judge } as const;

function outcomes(members: readonly MemberState[], commands: readonly AppendCommand[]): readonly string[] {
  const known: LoadedState = { ...NOTHING_KNOWN, members };
  return planAppend(EMPTY_HEAD, known, 1_000, commands).outcomes.map((outcome) =>
    outcome.kind === 'refused' ? outcome.error.code : outcome.kind,
  );
}

describe('the last manager', () => {
  it.each([
    ['demoted', demote],
    ['disabled', disable],
    ['removed', remove],
  ])('is not %s, by themself or by anybody', (_, wanted) => {
    expect(outcomes([member(1), member(2, { role: 'member' })], [change(1, 0x10, wanted, 1)])).toEqual([
      'last_manager',
    ]);
    expect(outcomes([member(1)], [change(1, 0x10, wanted)])).toEqual(['last_manager']);
    expect(outcomes([member(1), member(2)], [change(1, 0x10, wanted, 2)])).toEqual(['appended']);
  });

  it('is anyone who alone can act: the disabled, the removed and those who have only a link do not count', () => {
    const others = [
      member(2, { disabled_at: 5 }),
      member(3, { removed_at: 5 }),
      member(4, {}, { credential: { entryId: idOf(9), kind: 'link' } }),
      member(5, {}, { credential: undefined, tokens: [{ id: idOf(8), expiresAt: 900 }] }),
    ];
    expect(outcomes([member(1), ...others], [change(1, 0x10, demote)])).toEqual(['last_manager']);
    const withToken = member(6, {}, { credential: undefined, tokens: [{ id: idOf(8), expiresAt: LATER }] });
    expect(outcomes([member(1), ...others, withToken], [change(1, 0x10, demote)])).toEqual(['appended']);
  });

  it('is left when two managers demote each other in one batch: the first wins', () => {
    const batch = [change(2, 0x10, demote, 1), change(1, 0x11, demote, 2)];
    expect(outcomes([member(1), member(2)], batch)).toEqual(['appended', 'role_not_allowed']);
    const themselves = [change(1, 0x10, demote, 1), change(2, 0x11, demote, 2)];
    expect(outcomes([member(1), member(2)], themselves)).toEqual(['appended', 'last_manager']);
  });
});

describe('a change of a member', () => {
  it('is refused to somebody who is no active manager under the lock', () => {
    const wanted: WantedMember = { kind: 'add', username: 'new', role: 'member', link: null };
    const by = (state: MemberState) => outcomes([member(1), state], [change(9, 0x10, wanted, 2)]);
    expect(by(member(2, { role: 'member' }))).toEqual(['role_not_allowed']);
    expect(by(member(2, { disabled_at: 5 }))).toEqual(['unauthenticated']);
    expect(by(member(2, { removed_at: 5 }))).toEqual(['unauthenticated']);
    expect(by(member(3))).toEqual(['unauthenticated']);
    expect(by(member(2))).toEqual(['appended']);
  });

  it('takes no name that anybody has or had, also within a batch', () => {
    const add = (n: number, username: string) =>
      change(n, 0x10 + n, { kind: 'add', username, role: 'member', link: null });
    const removed = member(2, { removed_at: 5 });
    expect(outcomes([member(1), removed], [add(7, 'user-2'), add(8, 'new'), add(9, 'new')])).toEqual([
      'name_taken',
      'appended',
      'name_taken',
    ]);
  });

  it('appends nothing when nothing changes, and counts versions otherwise', () => {
    const same = change(1, 0x10, {
      kind: 'change',
      access: { role: 'manager', access_json: null },
      disabled: false,
      revocations: [],
      judge,
    });
    expect(outcomes([member(1), member(2)], [same])).toEqual(['replayed']);
    const known: LoadedState = { ...NOTHING_KNOWN, members: [member(1), member(2)] };
    const { writes, leaves } = planAppend(EMPTY_HEAD, known, 1_000, [
      change(1, 0x10, demote),
      change(1, 0x11, disable),
    ]);
    expect(leaves.map(({ type, seq }) => [type, seq])).toEqual([
      ['member_changed', 2],
      ['member_changed', 3],
    ]);
    const rows = writes.flatMap((write) => (write.kind === 'replace' && write.table === 'members' ? [write.row] : []));
    expect(rows.at(-1)).toMatchObject({ role: 'member', disabled_at: leaves[1]?.at, version: 3 });
  });

  it('asks its preconditions for the version under the lock', () => {
    const stale = new ServiceError('precondition_failed', 'stale');
    const at1 = { ...demote, judge: (version: number) => (version === 1 ? undefined : stale) };
    expect(outcomes([member(1), member(2), member(3)], [change(1, 0x10, at1), change(1, 0x11, at1)])).toEqual([
      'appended',
      'precondition_failed',
    ]);
  });

  it('of nobody, of a removed member, or of one whom the log does not name is refused', () => {
    const rows = [member(1), member(2, { removed_at: 5 }), member(3, { version: 0 })];
    expect(outcomes(rows, [change(9, 0x10, demote), change(2, 0x11, demote), change(3, 0x12, demote)])).toEqual([
      'not_found',
      'not_found',
      'content_damaged',
    ]);
  });
});

describe('disabling and enabling', () => {
  const revoked = (n: number, token: number) => ({ id: idOf(n), nonce: NONCE, token_id: idOf(token), actor: SERVICE });
  const tokens = [
    { id: idOf(0x80), expiresAt: LATER },
    { id: idOf(0x81), expiresAt: LATER, goodUntil: LATER - 1 },
  ];
  const revocations = [revoked(0x20, 0x80), revoked(0x21, 0x81)];

  it.each([
    ['disabled', null],
    // An earlier release let the tokens of a disabled member live on.
    ['enabled', 5],
  ])('who is %s loses every token, a rotated one that is still good among them', (_, disabledAt) => {
    const members = [member(1), member(2, { disabled_at: disabledAt }, { tokens })];
    const wanted = { kind: 'change', disabled: disabledAt === null, revocations, judge } as const;
    const plan = planAppend(EMPTY_HEAD, { ...NOTHING_KNOWN, members }, 1_000, [change(2, 0x10, wanted)]);
    expect(plan.leaves.map(({ type }) => type)).toEqual(['member_changed', 'token_revoked', 'token_revoked']);
    const [, first, second] = plan.leaves.map(({ at }) => at);
    expect(plan.writes).toContainEqual({
      kind: 'revoke_token',
      tokenId: idOf(0x80),
      at: first,
      overlapUntil: null,
    });
    expect(plan.writes).toContainEqual({ kind: 'cut_token', tokenId: idOf(0x81), at: second });
  });

  it('is prepared again when a token came in between, and ends none where nobody loses anything', () => {
    const rows = [member(1), member(2, {}, { tokens })];
    const wanted = (disabled: boolean, ended: typeof revocations) =>
      outcomes(rows, [
        change(2, 0x10, {
          kind: 'change',
          access: { role: 'member', access_json: null },
          disabled,
          revocations: ended,
          judge,
        }),
      ]);
    expect(wanted(true, revocations.slice(1))).toEqual(['reprepare']);
    expect(wanted(true, revocations)).toEqual(['appended']);
    expect(wanted(false, [])).toEqual(['reprepare']);
    const promote = { kind: 'change', access: { role: 'manager', access_json: null }, revocations: [], judge } as const;
    const members = [member(1), member(2, { role: 'member' }, { tokens })];
    expect(outcomes(members, [change(2, 0x10, promote)])).toEqual(['appended']);
  });
});

describe('a removal', () => {
  const revoked = (n: number, token: number) => ({ id: idOf(n), nonce: NONCE, token_id: idOf(token), actor: SERVICE });
  const tokens = [
    { id: idOf(0x80), expiresAt: LATER },
    { id: idOf(0x81), expiresAt: 900 },
  ];

  it('revokes the tokens in the same plan, each at the time of its own entry', () => {
    const known: LoadedState = { ...NOTHING_KNOWN, members: [member(1), member(2, {}, { tokens })] };
    const revocations = [revoked(0x20, 0x80), revoked(0x21, 0x81)];
    const plan = planAppend(EMPTY_HEAD, known, 1_000, [change(2, 0x10, { kind: 'remove', revocations, judge })]);
    const at = (type: string) => plan.leaves.filter((leaf) => leaf.type === type).map((leaf) => leaf.at);
    expect(plan.leaves.map(({ type }) => type)).toEqual(['member_changed', 'token_revoked', 'token_revoked']);
    const ended = plan.writes.flatMap((write) => (write.kind === 'revoke_token' ? [write.at] : []));
    expect(ended).toEqual(at('token_revoked'));
    const [row] = plan.writes.flatMap((write) =>
      write.kind === 'replace' && write.table === 'members' ? [write.row] : [],
    );
    expect([row?.removed_at]).toEqual(at('member_changed'));
    expect(plan.writes).toContainEqual({ kind: 'drop_credential', memberId: idOf(2) });
  });

  it('is prepared again when a token came or went in between; expired ones may be left', () => {
    const rows = [member(1), member(2, {}, { tokens })];
    const removal = (...revocations: ReturnType<typeof revoked>[]) =>
      outcomes(rows, [change(2, 0x10, { kind: 'remove', revocations, judge })]);
    expect(removal()).toEqual(['reprepare']);
    expect(removal(revoked(0x20, 0x80))).toEqual(['appended']);
    expect(removal(revoked(0x20, 0x80), revoked(0x21, 0x99))).toEqual(['reprepare']);
  });

  it('is done once', () => {
    expect(outcomes([member(1), member(2)], [change(2, 0x10, remove), change(2, 0x11, remove)])).toEqual([
      'appended',
      'replayed',
    ]);
  });

  it('lets no token be issued after it, nor by a credential that was replaced', () => {
    const refusal = new ServiceError('login_failed', 'no');
    const issue = (n: number, credentialEntryId: string) =>
      createTokenCommand(
        WORKSPACE,
        {
          id: idOf(n),
          nonce: NONCE,
          token_id: idOf(0x100 + n),
          kind: 'user',
          name: `t${n}`,
          application_key: null,
          scopes: [],
          user_id: idOf(2),
          secret_hash: `sha256:${'0'.repeat(64)}`,
          expires_at: '2030-01-01T00:00:00.000000Z',
          actor: SERVICE,
        },
        { credentialEntryId, refusal },
      );
    const reset = change(2, 0x10, { kind: 'change', link: credential(2, 0x10, 'link'), revocations: [], judge });
    const rows = [member(1), member(2)];
    const own = idOf(0x502);
    expect(outcomes(rows, [issue(0x30, own), reset, issue(0x31, own)])).toEqual([
      'appended',
      'appended',
      'login_failed',
    ]);
    expect(outcomes(rows, [change(2, 0x11, remove), issue(0x30, own)])).toEqual(['appended', 'login_failed']);
    expect(outcomes(rows, [change(2, 0x11, disable), issue(0x30, own)])).toEqual(['appended', 'login_failed']);
  });
});

describe('a password link', () => {
  const use = (entry: number, replaces: number) =>
    change(2, entry, { kind: 'set_password', password: credential(2, entry, 'password'), replaces: idOf(replaces) }, 2);
  const invited = member(2, { role: 'member' }, { credential: { entryId: idOf(0x70), kind: 'link' } });

  it('is used once, and no more when another one has taken its place', () => {
    expect(outcomes([member(1), invited], [use(0x10, 0x70), use(0x11, 0x70)])).toEqual(['appended', 'link_not_valid']);
    const again = change(2, 0x12, { kind: 'change', link: credential(2, 0x12, 'link'), revocations: [], judge });
    expect(outcomes([member(1), invited], [again, use(0x11, 0x70), use(0x13, 0x12)])).toEqual([
      'appended',
      'link_not_valid',
      'appended',
    ]);
  });

  it('is of no use to the disabled and the removed', () => {
    expect(outcomes([member(1), invited], [change(2, 0x10, disable), use(0x11, 0x70)])).toEqual([
      'appended',
      'link_not_valid',
    ]);
    expect(outcomes([member(1), invited], [change(2, 0x10, remove), use(0x11, 0x70)])).toEqual([
      'appended',
      'link_not_valid',
    ]);
  });
});
