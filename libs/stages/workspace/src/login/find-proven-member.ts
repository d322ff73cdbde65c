import { createMemberCommand } from '@answer-evidence/ledger';
import { newCoreIdentity, type ProvenIdentity, type StoredMember, type Workspace } from '@answer-evidence/ports';
import type { SignInProvider } from '../console/deps.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { bindProviderLink, findCredential, findProviderLink } from '../members/credentials.ts';
import type { SignedIn } from './verify-login.ts';

/** Which page somebody sees whom the provider vouches for, and who is not signed in. */
type Refused = { readonly refusal: 'member' | 'name' };

type Deps = Pick<WorkspaceDeps, 'members' | 'ledger' | 'clock' | 'random'>;
type Configured = Pick<SignInProvider, 'onRefused' | 'linksFirst'>;

/**
 * The member whom a provider vouches for: who is linked to the subject, and otherwise who has the name and is linked to
 * nobody. With `linksFirst`, the latter is linked from then on. Tells the operator why there is none.
 */
export async function findProvenMember(
  deps: Deps,
  workspace: Workspace | undefined,
  identity: ProvenIdentity,
  { onRefused, linksFirst }: Configured,
): Promise<SignedIn | Refused> {
  const refuse = (reason: string): Refused => {
    onRefused(reason);
    return { refusal: 'member' };
  };
  if (workspace === undefined) return refuse('no_such_workspace');
  const linked = await deps.members.findByProvider(workspace.id, identity.issuer, identity.subject);
  if (linked !== undefined) {
    const fault = faultOf(linked);
    const link = findProviderLink(workspace, linked);
    if (fault !== undefined || link === undefined) return refuse(fault ?? 'provider_link_altered');
    return { workspace, member: linked.row, credentialEntryId: link.entry_id };
  }
  const name = await identity.readName();
  if (name === undefined) return { refusal: 'name' };
  // Names of members have no capitals. Where they are no addresses, capitals may tell two people apart.
  const stored = await deps.members.findByName(
    workspace.id,
    name.isVerifiedAddress ? foldCapitals(name.name) : name.name,
  );
  const fault = faultOf(stored);
  if (stored === undefined || fault !== undefined) return refuse(fault ?? 'no_such_member');
  // Names move from one person to the next, as addresses do; a subject never does.
  if (stored.provider !== undefined) return refuse('linked_to_another_subject');
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

function faultOf(stored: StoredMember | undefined): string | undefined {
  if (stored === undefined || stored.row.removed_at !== null) return 'no_such_member';
  return stored.row.disabled_at === null ? undefined : 'member_disabled';
}

/** Capitals of ASCII alone: other letters that fold to it, such as the Kelvin sign to `k`, are another mailbox. */
function foldCapitals(address: string): string {
  return address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
