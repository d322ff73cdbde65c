import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { MemberRow, ProviderLinkRow } from '@answer-evidence/tables';
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

const NONCE = '00112233445566778899aabbccddeeff';
const SERVICE = { kind: 'service', id: 'test', token_id: null } as const;
const ISSUER = 'https://login.example.com';
const judge = () => undefined;

function member(n: number, state: Partial<MemberState> = {}, more: Partial<MemberRow> = {}): MemberState {
  const row: MemberRow = {
    ...{ id: idOf(n), username: `user-${n}`, role: 'manager', access_json: null, role_source: null, created_at: 1 },
    ...{ disabled_at: null, removed_at: null, version: 1, ...more },
  };
  return { row, credential: { entryId: idOf(0x500 + n), kind: 'password' }, tokens: [], ...state };
}

function link(n: number, entry: number, subject: string, issuer = ISSUER): ProviderLinkRow {
  return { member_id: idOf(n), entry_id: idOf(entry), issuer, subject, mac: hashOf('mac') };
}

const linkedAs = (subject: string, entry = 0x900) => ({ provider: { entryId: idOf(entry), issuer: ISSUER, subject } });

function change(n: number, entry: number, wanted: WantedMember): AppendCommand {
  const identity = { id: idOf(entry), nonce: NONCE };
  return createMemberCommand({ workspaceId: WORKSPACE, memberId: idOf(n), identity, actor: SERVICE }, wanted);
}

const linkTo = (n: number, entry: number, subject: string, issuer?: string) =>
  change(n, entry, { kind: 'change', provider: link(n, entry, subject, issuer), revocations: [], judge });
const unlink = (n: number, entry: number) =>
  change(n, entry, { kind: 'change', provider: null, revocations: [], judge });

function plan(members: readonly MemberState[], commands: readonly AppendCommand[]) {
  const known: LoadedState = { ...NOTHING_KNOWN, members };
  const planned = planAppend(EMPTY_HEAD, known, 1_000, commands);
  const outcomes = planned.outcomes.map((one) => (one.kind === 'refused' ? one.error.code : one.kind));
  const cores = planned.writes.flatMap((write) =>
    write.kind === 'insert' && write.table === 'workspace_entries' ? [parseJsonText(write.row.core_json)] : [],
  );
  return { outcomes, cores, writes: planned.writes };
}

describe('a provider link', () => {
  it('is in the log and in its row, and stays in every later entry until it is undone', () => {
    const demote = change(1, 0x11, {
      kind: 'change',
      access: { role: 'member', access_json: null },
      revocations: [],
      judge,
    });
    const { outcomes, cores, writes } = plan(
      [member(1), member(2)],
      [linkTo(1, 0x10, 'auth0|abc123'), demote, unlink(1, 0x12)],
    );
    expect(outcomes).toEqual(['appended', 'appended', 'appended']);
    const provider = { issuer: ISSUER, subject: 'auth0|abc123' };
    expect(cores).toMatchObject([
      { changes: ['provider_linked'], provider, version: 2 },
      { changes: ['role_changed'], provider, version: 3 },
      { changes: ['provider_unlinked'], version: 4 },
    ]);
    expect(cores[2]).not.toHaveProperty('provider');
    expect(writes).toContainEqual({ kind: 'replace', table: 'provider_links', row: link(1, 0x10, 'auth0|abc123') });
    expect(writes).toContainEqual({ kind: 'drop_provider_link', memberId: idOf(1) });
  });

  it('appends nothing if nothing changes', () => {
    const members = [member(1, linkedAs('a')), member(2)];
    expect(plan(members, [linkTo(1, 0x10, 'a'), unlink(2, 0x11)]).outcomes).toEqual(['replayed', 'replayed']);
  });

  it('belongs to one member at a time, within a batch too; subjects differ by capitals and by their issuer', () => {
    const members = [member(1, linkedAs('a')), member(2), member(3)];
    expect(plan(members, [linkTo(2, 0x10, 'a')]).outcomes).toEqual(['name_taken']);
    expect(plan(members, [linkTo(2, 0x10, 'A'), linkTo(3, 0x11, 'A')]).outcomes).toEqual(['appended', 'name_taken']);
    expect(plan(members, [linkTo(2, 0x10, 'a', 'https://other.example.com')]).outcomes).toEqual(['appended']);
    expect(plan(members, [unlink(1, 0x10), linkTo(2, 0x11, 'a')]).outcomes).toEqual(['appended', 'appended']);
  });

  it('goes with the member', () => {
    const { writes, cores } = plan(
      [member(1, linkedAs('a')), member(2)],
      [change(1, 0x10, { kind: 'remove', revocations: [], judge })],
    );
    expect(writes).toContainEqual({ kind: 'drop_provider_link', memberId: idOf(1) });
    expect(cores[0]).not.toHaveProperty('provider');
  });

  it('is made by a first sign-in only for the member who was proven, while nobody is linked', () => {
    const own = (n: number, entry: number, subject: string, credential: number) =>
      change(n, entry, {
        kind: 'link_own',
        provider: link(n, entry, subject),
        credentialEntryId: idOf(credential),
      });
    expect(plan([member(1)], [own(1, 0x10, 'a', 0x501)]).outcomes).toEqual(['appended']);
    expect(plan([member(1)], [own(1, 0x10, 'a', 0x502)]).outcomes).toEqual(['login_failed']);
    expect(plan([member(1, linkedAs('b'))], [own(1, 0x10, 'a', 0x501)]).outcomes).toEqual(['login_failed']);
    expect(plan([member(1), member(2, linkedAs('a'))], [own(1, 0x10, 'a', 0x501)]).outcomes).toEqual(['login_failed']);
    expect(plan([member(1, {}, { disabled_at: 5 })], [own(1, 0x10, 'a', 0x501)]).outcomes).toEqual(['login_failed']);
    expect(plan([member(1)], [own(1, 0x10, 'a', 0x501), own(1, 0x11, 'b', 0x501)]).outcomes).toEqual([
      'appended',
      'login_failed',
    ]);
  });

  it('lets a token be issued while it is the one that somebody signed in with', () => {
    const refusal = new ServiceError('login_failed', 'for this test');
    const issue = (entry: number) =>
      createTokenCommand(
        WORKSPACE,
        {
          ...{ id: idOf(0x20), nonce: NONCE, token_id: idOf(0x21), kind: 'user', name: 'console', scopes: [] },
          ...{ application_key: null, user_id: idOf(1), secret_hash: 'sha256:00', actor: SERVICE },
          expires_at: '2026-11-20T09:00:00.000000Z',
        },
        { credentialEntryId: idOf(entry), refusal },
      );
    const members = [member(1, linkedAs('a'))];
    expect(plan(members, [issue(0x900)]).outcomes).toEqual(['appended']);
    expect(plan(members, [issue(0x901)]).outcomes).toEqual(['login_failed']);
    expect(plan(members, [unlink(1, 0x10), issue(0x900)]).outcomes).toEqual(['appended', 'login_failed']);
  });
});
