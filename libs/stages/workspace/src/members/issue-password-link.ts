import { type Actor, type PasswordLink, ServiceError } from '@answer-evidence/contracts';
import { createMemberCommand } from '@answer-evidence/ledger';
import { type IdSource, type Ledger, type MemberStore, newCoreIdentity, type Workspace } from '@answer-evidence/ports';
import { makePasswordLink } from './password-link.ts';

/** Makes a password link for a member by name, as the service; the one before is void. Throws `not_found`. */
export async function issuePasswordLink(
  deps: IdSource & { readonly ledger: Pick<Ledger, 'append'>; readonly members: MemberStore },
  workspace: Workspace,
  baseUrl: string,
  username: string,
  actor: Actor,
): Promise<PasswordLink> {
  const stored = await deps.members.findByName(workspace.id, username);
  if (stored === undefined || stored.row.removed_at !== null)
    throw new ServiceError('not_found', 'no such member exists in this workspace; check the id');
  if (stored.row.disabled_at !== null)
    throw new ServiceError('not_found', 'this member is disabled; enable them first');
  const identity = newCoreIdentity(deps);
  const memberId = stored.row.id;
  const made = makePasswordLink(deps, workspace, baseUrl, { memberId, entryId: identity.id });
  const command = createMemberCommand(
    { workspaceId: workspace.id, memberId, identity, actor },
    { kind: 'change', link: made.row, revocations: [], judge: () => undefined },
  );
  await deps.ledger.append(workspace.id, () => command);
  return made.shown;
}
