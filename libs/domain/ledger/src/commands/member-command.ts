import {
  type Actor,
  type MemberChange,
  type MemberCore,
  type RoleSource,
  ServiceError,
  type TokenRevokedCore,
} from '@answer-evidence/contracts';
import { isCovered } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { CredentialRow, MemberRow, ProviderLinkRow } from '@answer-evidence/tables';
import type { AppendCommand, Decision, LogState, Write } from '../append-command.ts';
import { type AccessColumns, accessOf } from '../member-access.ts';
import { isActive, isEffectiveManager, type MemberState, refuseMember } from '../members.ts';
import { isEachEnded, withRevocations } from './end-tokens.ts';
import { planLink } from './provider-link.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/** Says why a change must not be made at this version of the member, if it must not: stale preconditions. */
export type VersionJudge = (version: number) => ServiceError | undefined;

/** What is to become of a member. A credential takes the place of the one before, which is void from then on. */
export type WantedMember =
  | (Pick<AccessColumns, 'role'> & {
      readonly kind: 'add';
      readonly username: string;
      /** Absent: what `role` says. */
      readonly access_json?: string | null;
      readonly link: CredentialRow | null;
      /** Whom a provider added: their subject there. Their role follows their groups from then on. */
      readonly provider?: ProviderLinkRow;
      /** How many members there may be, removed ones not counted; absent: any number. */
      readonly membersMax?: number;
    })
  | {
      readonly kind: 'change';
      readonly access?: AccessColumns;
      readonly disabled?: boolean;
      readonly roleSource?: RoleSource;
      readonly link?: CredentialRow;
      /** Null: they are linked to no subject from then on. */
      readonly provider?: ProviderLinkRow | null;
      /** What ends with being disabled, being enabled where an earlier release only suspended it, and less access. */
      readonly revocations: readonly TokenRevokedCore[];
      readonly judge: VersionJudge;
    }
  /** `revocations`: one for each token of the member that could be good. */
  | { readonly kind: 'remove'; readonly revocations: readonly TokenRevokedCore[]; readonly judge: VersionJudge }
  /** Only while the link that `replaces` names is the member's credential. */
  | { readonly kind: 'set_password'; readonly password: CredentialRow; readonly replaces: string }
  /** Only while they are linked to no subject, and their credential is the one of this entry. */
  | { readonly kind: 'link_own'; readonly provider: ProviderLinkRow; readonly credentialEntryId: string };

/** Whose entry this is to be, by which id and nonce, and who asked for it. */
type MemberChangeOf = {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly identity: { readonly id: string; readonly nonce: string };
  readonly actor: Actor;
};

/**
 * Changes a member: the entry, their row, their credential, and the revocation of their tokens when they are disabled
 * or removed, in one transaction. The caller must still be a manager when the lock is held. A manager who could sign in
 * or has a token must remain.
 */
export function createMemberCommand(of: MemberChangeOf, wanted: WantedMember): AppendCommand {
  const revocations = 'revocations' in wanted ? wanted.revocations : [];
  return {
    subject: of.workspaceId,
    entryIds: [of.identity.id, ...revocations.map(({ id }) => id)],
    settingsVersion: null,
    reads: { members: true },
    sizeBytes: 2_000 + 800 * revocations.length,
    decide(view) {
      const members = view.members();
      // Neither setting one's own password nor the first sign-in at a provider needs a role.
      const isOwn = wanted.kind === 'set_password' || wanted.kind === 'link_own';
      const refusal = isOwn ? undefined : refuseMember(of.actor, members, 'members.change');
      if (refusal !== undefined) return refuse(refusal);
      const state = members.find(({ row }) => row.id === of.memberId);
      if (wanted.kind === 'add') return decideAdd(of, wanted, view, members);
      if (state === undefined)
        return refuse(new ServiceError('not_found', 'no such member exists in this workspace; check the id'));
      if (state.row.version === 0)
        return refuse(
          new ServiceError('content_damaged', 'the log does not name this member; run a ledger check', {
            remedy: 'give-up',
          }),
        );
      switch (wanted.kind) {
        case 'change':
          return decideChange(of, wanted, view, state);
        case 'remove':
          return decideRemoval(of, wanted, view, state);
        case 'set_password':
          return decidePassword(of, wanted, state);
        case 'link_own':
          return decideOwnLink(of, wanted, members, state);
      }
    },
  };
}

function refuse(error: ServiceError): Decision {
  return { kind: 'refuse', error };
}

function decideAdd(
  of: MemberChangeOf,
  wanted: Extract<WantedMember, { kind: 'add' }>,
  view: LogState,
  members: readonly MemberState[],
): Decision {
  // Also a removed member's: in old records and entries a name never comes to mean somebody else.
  if (members.some(({ row }) => row.username === wanted.username))
    return refuse(
      new ServiceError('name_taken', 'the name of the member cannot be used again', {
        errors: [
          { pointer: '/username', detail: 'must be another name, since a current or removed member has this one' },
        ],
      }),
    );
  const { membersMax = Infinity } = wanted;
  if (members.filter(({ row }) => row.removed_at === null).length >= membersMax)
    return refuse(
      new ServiceError('limit_reached', `a workspace may have at most ${membersMax} members; remove unused ones`),
    );
  const provider = planLink(wanted.provider, members, undefined);
  if (provider instanceof ServiceError) return refuse(provider);
  const row: MemberRow = {
    id: of.memberId,
    username: wanted.username,
    role: wanted.role,
    access_json: wanted.access_json ?? null,
    role_source: wanted.provider === undefined ? null : 'provider',
    created_at: view.at,
    disabled_at: null,
    removed_at: null,
    version: 1,
  };
  const changes: MemberChange[] = ['added', ...provider.changes];
  if (wanted.link !== null) changes.push('password_link_issued');
  const links: Write[] =
    wanted.link === null ? [] : [{ kind: 'replace', table: 'member_credentials', row: wanted.link }];
  return appendMember(of, { row, provider: provider.after }, changes, [...links, ...provider.writes]);
}

function decideChange(
  of: MemberChangeOf,
  wanted: Extract<WantedMember, { kind: 'change' }>,
  view: LogState,
  state: MemberState,
): Decision {
  const { row } = state;
  if (row.removed_at !== null)
    return refuse(new ServiceError('not_found', 'this member was removed; add them under another name'));
  const stale = wanted.judge(row.version);
  if (stale !== undefined) return refuse(stale);
  const { access: { role, access_json } = row, disabled = row.disabled_at !== null, link } = wanted;
  const role_source = sourceAfter(row, wanted, of.actor);
  const provider = planLink(wanted.provider, view.members(), state);
  if (provider instanceof ServiceError) return refuse(provider);
  const changes: MemberChange[] = [];
  if (role !== row.role) changes.push('role_changed');
  if (access_json !== row.access_json) changes.push('access_changed');
  if (disabled !== (row.disabled_at !== null)) changes.push(disabled ? 'disabled' : 'enabled');
  if (role_source !== row.role_source) changes.push('role_source_changed');
  if (link !== undefined) changes.push('password_link_issued');
  changes.push(...provider.changes);
  if (changes.length === 0) return { kind: 'replay', objectId: row.id };
  const disabledAt = disabled ? (row.disabled_at ?? view.at) : null;
  const next: MemberRow = { ...row, role, access_json, role_source, disabled_at: disabledAt, version: row.version + 1 };
  // A token that allows more than the member may do from now on ends with the change.
  const isEnding = next.disabled_at !== row.disabled_at || !isCovered(accessOf(row), accessOf(next));
  if (isEnding && !isEachEnded(wanted.revocations, view, state)) return { kind: 'reprepare' };
  const last = refuseLast(view, state, next);
  if (last !== undefined) return last;
  const links: Write[] = link === undefined ? [] : [{ kind: 'replace', table: 'member_credentials', row: link }];
  const appended = appendMember(of, { row: next, provider: provider.after }, changes, [...links, ...provider.writes]);
  return isEnding ? withRevocations(of.workspaceId, appended, wanted.revocations, view, state) : appended;
}

/** A manager who disables or enables somebody whom the provider's groups disabled decides of that from then on. */
function sourceAfter(
  { role_source: before }: MemberRow,
  { roleSource, disabled }: Extract<WantedMember, { kind: 'change' }>,
  { kind }: Actor,
): RoleSource | null {
  if (roleSource !== undefined) return roleSource;
  return kind === 'user' && before === 'provider_left' && disabled !== undefined ? 'provider' : before;
}

function decideRemoval(
  of: MemberChangeOf,
  wanted: Extract<WantedMember, { kind: 'remove' }>,
  view: LogState,
  state: MemberState,
): Decision {
  const { row } = state;
  if (row.removed_at !== null) return { kind: 'replay', objectId: row.id };
  const stale = wanted.judge(row.version);
  if (stale !== undefined) return refuse(stale);
  if (!isEachEnded(wanted.revocations, view, state)) return { kind: 'reprepare' };
  const next: MemberRow = { ...row, removed_at: view.at, version: row.version + 1 };
  const last = refuseLast(view, state, next);
  if (last !== undefined) return last;
  const writes: readonly Write[] = [
    { kind: 'drop_credential', memberId: row.id },
    ...(state.provider === undefined ? [] : [{ kind: 'drop_provider_link', memberId: row.id } as const]),
  ];
  const appended = appendMember(of, { row: next, provider: undefined }, ['removed'], writes);
  return withRevocations(of.workspaceId, appended, wanted.revocations, view, state);
}

function decidePassword(
  of: MemberChangeOf,
  wanted: Extract<WantedMember, { kind: 'set_password' }>,
  state: MemberState,
): Decision {
  const { credential, row } = state;
  if (!isActive(state) || credential?.kind !== 'link' || credential.entryId !== wanted.replaces)
    return refuse(
      new ServiceError(
        'link_not_valid',
        'the link is invalid, expired, or already used; ask a tenant manager for a new one',
      ),
    );
  const next: MemberRow = { ...row, version: row.version + 1 };
  return appendMember(
    of,
    { row: next, provider: state.provider },
    ['password_set'],
    [{ kind: 'replace', table: 'member_credentials', row: wanted.password }],
  );
}

function decideOwnLink(
  of: MemberChangeOf,
  wanted: Extract<WantedMember, { kind: 'link_own' }>,
  members: readonly MemberState[],
  state: MemberState,
): Decision {
  const { row, credential } = state;
  const planned = planLink(wanted.provider, members, state);
  const isAsProven = isActive(state) && credential?.entryId === wanted.credentialEntryId;
  if (planned instanceof ServiceError || state.provider !== undefined || !isAsProven)
    return refuse(new ServiceError('login_failed', 'the member has just changed; sign in again'));
  const next: MemberRow = { ...row, version: row.version + 1 };
  return appendMember(of, { row: next, provider: planned.after }, planned.changes, planned.writes);
}

function refuseLast(view: LogState, state: MemberState, next: MemberRow): Decision | undefined {
  if (!isEffectiveManager(state, view.at) || isEffectiveManager({ ...state, row: next }, view.at)) return undefined;
  const others = view.members().filter(({ row }) => row.id !== next.id);
  if (others.some((other) => isEffectiveManager(other, view.at))) return undefined;
  const detail = 'this would leave the workspace without a manager: first let another manager set a password';
  return refuse(new ServiceError('last_manager', detail));
}

function appendMember(
  of: MemberChangeOf,
  { row, provider }: Pick<MemberState, 'row' | 'provider'>,
  changes: readonly MemberChange[],
  more: readonly Write[],
): Extract<Decision, { kind: 'append' }> {
  const core = memberCoreOf(of.identity, row, changes, of.actor, provider);
  const { entry, write } = placeWorkspaceEntry(of.workspaceId, { type: 'member_changed', seq: row.version, core });
  return { kind: 'append', entries: [entry], writes: [write, { kind: 'replace', table: 'members', row }, ...more] };
}

/** The core of an entry after which the member is as the row says. */
export function memberCoreOf(
  identity: { readonly id: string; readonly nonce: string },
  row: MemberRow,
  changes: readonly MemberChange[],
  actor: Actor,
  provider?: MemberState['provider'],
): MemberCore {
  return {
    ...identity,
    member_id: row.id,
    username: row.username,
    role: row.role,
    ...(row.access_json === null ? {} : { access: accessOf(row) }),
    ...(row.role_source === null ? {} : { role_source: row.role_source }),
    created_at: formatTimestamp(row.created_at),
    disabled_at: row.disabled_at === null ? null : formatTimestamp(row.disabled_at),
    removed_at: row.removed_at === null ? null : formatTimestamp(row.removed_at),
    version: row.version,
    changes: [...changes],
    ...(provider === undefined ? {} : { provider: { issuer: provider.issuer, subject: provider.subject } }),
    actor,
  };
}
