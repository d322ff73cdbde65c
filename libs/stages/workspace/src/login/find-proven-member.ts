import { createMemberCommand } from '@answer-evidence/ledger';
import { newCoreIdentity, type ProvenIdentity, type StoredMember, type Workspace } from '@answer-evidence/ports';
import type { SignInProvider } from '../console/deps.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { bindProviderLink, findCredential, findProviderLink } from '../members/credentials.ts';
import type { SignedIn } from './verify-login.ts';

/** Why nobody is signed in: for the operator (where they were not told yet), and for the person. */
export type NotProven = {
  readonly refusal: 'member' | 'name' | 'groups' | 'left';
  readonly reason?: string;
  /** The name that nobody has, as members are called. */
  readonly free?: string;
};

/** How the member is found. `mayReturn`: also who was disabled because they had no group. */
type Finding = Pick<SignInProvider, 'linksFirst'> & { readonly mayReturn?: boolean };

type Deps = Pick<WorkspaceDeps, 'members' | 'ledger' | 'clock' | 'random'>;

/**
 * The member whom a provider vouches for: who is linked to the subject, and otherwise who has the name and is linked to
 * nobody. With `linksFirst`, the latter is linked from then on.
 */
export async function findProvenMember(
  deps: Deps,
  workspace: Workspace | undefined,
  identity: ProvenIdentity,
  { linksFirst, mayReturn = false }: Finding,
): Promise<SignedIn | NotProven> {
  const refuse = (reason: string): NotProven => ({ refusal: 'member', reason });
  const faultOf = (stored: StoredMember | undefined) => findFault(stored, mayReturn);
  if (workspace === undefined) return refuse('no_such_workspace');
  const proveLinked = (linked: StoredMember): SignedIn | NotProven => {
    const fault = faultOf(linked);
    const link = findProviderLink(workspace, linked);
    if (fault !== undefined || link === undefined) return refuse(fault ?? 'provider_link_altered');
    return { workspace, member: linked.row, credentialEntryId: link.entry_id };
  };
  const linked = await deps.members.findByProvider(workspace.id, identity.issuer, identity.subject);
  if (linked !== undefined) return proveLinked(linked);
  const name = await identity.readName();
  if (name === undefined) return { refusal: 'name' };
  // Names of members have no capitals. Where they are no addresses, capitals may tell two people apart.
  const username = name.isVerifiedAddress ? foldCapitals(name.name) : name.name;
  const stored = await deps.members.findByName(workspace.id, username);
  if (stored === undefined) return { ...refuse('no_such_member'), free: username };
  const fault = faultOf(stored);
  if (fault !== undefined) return refuse(fault);
  // Names move from one person to the next, as addresses do; a subject never does.
  if (stored.provider !== undefined) {
    const { issuer, subject } = stored.provider;
    // The same person may sign in twice at once, and the other one has just linked them.
    const isSame = issuer === identity.issuer && subject === identity.subject;
    return isSame ? proveLinked(stored) : refuse('linked_to_another_subject');
  }
  const credential = findCredential(workspace, stored);
  // A link that nobody has used may be in the wrong hands; setting a password by it shows that it is not.
  if (credential === undefined || credential.password_hash === null) return refuse('no_password_set_yet');
  const proven = { workspace, member: stored.row, credentialEntryId: credential.entry_id };
  return linksFirst ? linkFirst(deps, proven, identity) : proven;
}

/** Links the member to the subject, in the log as well. Throws `login_failed` if they have just changed. */
async function linkFirst(deps: Deps, proven: SignedIn, { issuer, subject }: ProvenIdentity): Promise<SignedIn> {
  const { workspace, member, credentialEntryId } = proven;
  const entry = newCoreIdentity(deps);
  const provider = bindProviderLink(workspace, { member_id: member.id, entry_id: entry.id, issuer, subject });
  const command = createMemberCommand(
    {
      workspaceId: workspace.id,
      memberId: member.id,
      identity: entry,
      actor: { kind: 'user', id: member.id, token_id: null },
    },
    { kind: 'link_own', provider, credentialEntryId },
  );
  await deps.ledger.append(workspace.id, () => command);
  return { ...proven, credentialEntryId: entry.id };
}

function findFault(stored: StoredMember | undefined, mayReturn: boolean): string | undefined {
  if (stored === undefined || stored.row.removed_at !== null) return 'no_such_member';
  if (stored.row.disabled_at === null || (mayReturn && stored.row.role_source === 'provider_left')) return undefined;
  return stored.row.role_source === 'provider_left' ? 'no_group' : 'member_disabled';
}

/** Capitals of ASCII alone: other letters that fold to it, such as the Kelvin sign to `k`, are another mailbox. */
function foldCapitals(address: string): string {
  return address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
