import { type Actor, type GroupRule, type RoleSource, ServiceError, username } from '@answer-evidence/contracts';
import { type AccessColumns, accessColumns, createMemberCommand } from '@answer-evidence/ledger';
import { newCoreIdentity, newId, type ProvenIdentity, type Workspace } from '@answer-evidence/ports';
import type { SignInProvider } from '../console/deps.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { bindProviderLink, findProviderLink } from '../members/credentials.ts';
import { planRevocations } from '../members/plan-revocations.ts';
import { findProvenMember, type NotProven } from './find-proven-member.ts';
import type { SignedIn } from './verify-login.ts';

type Deps = Pick<WorkspaceDeps, 'members' | 'administration' | 'ledger' | 'clock' | 'random' | 'membersMax'>;
type Configured = Pick<SignInProvider, 'linksFirst' | 'groups'>;

/** Who adds, changes and disables members by their groups, as the log says it. */
const PROVIDER: Actor = { kind: 'service', id: 'openid-provider', token_id: null };

/**
 * The member whom a provider vouches for, as `findProvenMember` finds them, after their groups there have had their
 * effect. The entry of it is in the log before a session is opened. Where nothing is known of the groups, nothing is
 * changed, and nobody is signed in.
 */
export async function findGroupedMember(
  deps: Deps,
  workspace: Workspace | undefined,
  identity: ProvenIdentity,
  { groups, linksFirst }: Configured,
): Promise<SignedIn | NotProven> {
  if (groups === undefined || workspace === undefined)
    return findProvenMember(deps, workspace, identity, { linksFirst });
  const proven = await identity.readGroups();
  if ('reason' in proven) return { refusal: 'groups', reason: proven.reason };
  const rule = groups.rules.find(({ group }) => proven.names.has(group));
  const found = await findProvenMember(deps, workspace, identity, { linksFirst, mayReturn: rule !== undefined });
  if ('member' in found) return followGroups(deps, found, rule, groups.onKept);
  if (rule !== undefined && found.free !== undefined) return addByGroup(deps, workspace, identity, rule, found.free);
  return found.reason === 'no_group' ? LEFT : found;
}

const LEFT: NotProven = { refusal: 'left', reason: 'no_group' };

/** Adds who has a group and is no member. Their role follows their groups from then on. */
async function addByGroup(
  deps: Deps,
  workspace: Workspace,
  identity: ProvenIdentity,
  rule: GroupRule,
  name: string,
): Promise<SignedIn | NotProven> {
  if (!username.safeParse(name).success) return { refusal: 'name', reason: 'name_not_usable' };
  const { issuer, subject } = identity;
  const memberId = newId(deps);
  const entry = newCoreIdentity(deps);
  const provider = bindProviderLink(workspace, { member_id: memberId, entry_id: entry.id, issuer, subject });
  const command = createMemberCommand(
    { workspaceId: workspace.id, memberId, identity: entry, actor: PROVIDER },
    {
      ...{ kind: 'add', username: name, ...accessColumns(rule.access), link: null, provider },
      ...(deps.membersMax === undefined ? {} : { membersMax: deps.membersMax }),
    },
  );
  try {
    await deps.ledger.append(workspace.id, () => command);
  } catch (error) {
    // The same person may sign in twice at once; then the other one has added them.
    if (!isCoded(error, 'name_taken', 'limit_reached')) throw error;
  }
  const stored = await deps.members.findByProvider(workspace.id, issuer, subject);
  const link = findProviderLink(workspace, stored);
  if (stored === undefined || link === undefined) return { refusal: 'member', reason: 'cannot_be_added' };
  return { workspace, member: stored.row, credentialEntryId: link.entry_id };
}

/** What groups make of a member. */
type Followed = { readonly access?: AccessColumns; readonly disabled?: boolean; readonly roleSource: RoleSource };

/** Gives a member the role of their group, or takes it. A last manager stays one, and that is said. */
async function followGroups(
  deps: Deps,
  found: SignedIn,
  rule: GroupRule | undefined,
  onKept: () => void,
): Promise<SignedIn | NotProven> {
  const { workspace, member } = found;
  if (member.role_source === null && rule?.adopts !== true) return found;
  // Only because they had no group: `findProvenMember` finds nobody else who is disabled.
  const isDisabled = member.disabled_at !== null;
  const wanted: Followed =
    rule === undefined
      ? { disabled: true, roleSource: 'provider_left' }
      : { access: accessColumns(rule.access), roleSource: 'provider', ...(isDisabled ? { disabled: false } : {}) };
  const isKept = await changeOrKeep(deps, found, wanted);
  if (isKept) onKept();
  else if (rule === undefined) return LEFT;
  const stored = await deps.members.find(workspace.id, member.id);
  if (stored === undefined || stored.row.disabled_at !== null || stored.row.removed_at !== null)
    return { refusal: 'member', reason: 'member_disabled' };
  return { ...found, member: stored.row };
}

/** Appends the change, unless there is none. Returns whether it would have taken the last manager. */
async function changeOrKeep(deps: Deps, found: SignedIn, wanted: Followed): Promise<boolean> {
  try {
    await change(deps, found, wanted);
    return false;
  } catch (error) {
    if (!isCoded(error, 'last_manager')) throw error;
    await change(deps, found, { roleSource: 'provider_kept' });
    return true;
  }
}

async function change(deps: Deps, { workspace, member }: SignedIn, wanted: Followed): Promise<void> {
  const { access: { role, access_json } = member, roleSource } = wanted;
  const isSame = role === member.role && access_json === member.access_json && roleSource === member.role_source;
  if (isSame && wanted.disabled !== true) return;
  const identity = newCoreIdentity(deps);
  // What a manager did meanwhile is not undone.
  const judge = (version: number) =>
    version === member.version
      ? undefined
      : new ServiceError('login_failed', 'the member has just changed; sign in again');
  // Prepared anew when a token came or went meanwhile: each revocation has its entry.
  await deps.ledger.append(workspace.id, async () =>
    createMemberCommand(
      { workspaceId: workspace.id, memberId: member.id, identity, actor: PROVIDER },
      {
        ...{ kind: 'change', ...wanted, judge },
        revocations: await planRevocations(deps, workspace.id, member.id, PROVIDER),
      },
    ),
  );
}

function isCoded(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof ServiceError && codes.includes(error.code);
}
