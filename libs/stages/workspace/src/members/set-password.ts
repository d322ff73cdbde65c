import {
  findPasswordFault,
  normalizePassword,
  parsePasswordSecret,
  type PasswordSecret,
} from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { equalSecrets, sha256 } from '@answer-evidence/digest';
import { EncodingError } from '@answer-evidence/encoding';
import { createMemberCommand } from '@answer-evidence/ledger';
import { type MemberStore, newCoreIdentity, type Workspace } from '@answer-evidence/ports';
import type { CredentialRow, MemberRow } from '@answer-evidence/tables';
import type { WorkspaceDeps } from '../deps.ts';
import { findCredential } from './credentials.ts';
import { bindCredential } from './password-link.ts';

/** Whose password was set. */
type PasswordSet = {
  readonly workspace: Workspace;
  readonly member: MemberRow;
  /** The entry of the new password. */
  readonly credentialEntryId: string;
};

/** Sets a password by the secret of a link, once. Throws `link_not_valid` and `password_not_accepted`. */
export async function setPassword(
  deps: WorkspaceDeps,
  host: string | undefined,
  asked: { readonly secret: string; readonly password: string },
): Promise<PasswordSet> {
  const given = parseSecret(asked.secret);
  const workspace = await findWorkspace(deps, given.workspaceId);
  const hosted = await deps.workspaceOfHost?.(host);
  if (hosted !== undefined && hosted.slug !== workspace.slug) throw linkNotValid();
  const { member, link } = await findLink(deps, workspace, given);
  const password = normalizePassword(asked.password);
  const fault = findPasswordFault(password, member.username);
  if (fault !== undefined)
    throw new ServiceError('password_not_accepted', `the password ${fault}`, {
      errors: [{ pointer: '/password', detail: fault }],
    });
  const identity = newCoreIdentity(deps);
  const row = bindCredential(workspace, {
    member_id: member.id,
    entry_id: identity.id,
    password_hash: await deps.passwords.hash(password),
    link_hash: null,
    link_expires_at: null,
  });
  const command = createMemberCommand(
    {
      workspaceId: workspace.id,
      memberId: member.id,
      identity,
      actor: { kind: 'user', id: member.id, token_id: null },
    },
    { kind: 'set_password', password: row, replaces: link.entry_id },
  );
  await deps.ledger.append(workspace.id, () => command);
  return { workspace, member, credentialEntryId: identity.id };
}

function linkNotValid(): ServiceError {
  return new ServiceError(
    'link_not_valid',
    'the link is invalid, expired, or already used; ask a tenant manager for a new one',
  );
}

function parseSecret(text: string): PasswordSecret {
  try {
    return parsePasswordSecret(text);
  } catch (error) {
    if (error instanceof EncodingError) throw linkNotValid();
    throw error;
  }
}

async function findWorkspace(deps: Pick<WorkspaceDeps, 'directory'>, id: string): Promise<Workspace> {
  try {
    return await deps.directory.get(id);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') throw linkNotValid();
    throw error;
  }
}

/** The link of this secret, while it works. The log decides again, under its lock, whether it was used. */
async function findLink(
  deps: { readonly members: MemberStore; readonly clock: { nowMicros(): number } },
  workspace: Workspace,
  { memberId, secret }: PasswordSecret,
): Promise<{
  readonly member: MemberRow;
  readonly link: CredentialRow;
}> {
  const stored = await deps.members.find(workspace.id, memberId);
  const link = findCredential(workspace, stored);
  if (stored === undefined || link === undefined || link.link_hash === null) throw linkNotValid();
  if (!equalSecrets(link.link_hash, sha256(secret))) throw linkNotValid();
  if (deps.clock.nowMicros() >= (link.link_expires_at ?? 0)) throw linkNotValid();
  return { member: stored.row, link };
}
