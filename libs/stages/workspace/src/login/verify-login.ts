import { normalizePassword } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { LoginRank, StoredMember, Workspace } from '@answer-evidence/ports';
import type { WorkspaceDeps } from '../deps.ts';
import { findCredential } from '../members/credentials.ts';

/** No workspace has this id; asking for it costs what asking for a real one costs. */
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** Who has signed in, and the entry of the password that they did it with. */
export type SignedIn = {
  readonly workspace: Workspace;
  readonly member: StoredMember['row'];
  readonly credentialEntryId: string;
};

/** What every login that fails is answered with: one sentence, anyone who was named. */
export function loginFailed(): ServiceError {
  return new ServiceError('login_failed', 'the name, the password or the workspace is wrong; check all three');
}

/** Whether the error is that answer: the password was verified, or there was none to verify. */
export function isLoginFailed(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'login_failed';
}

/** Verifies a password. One read and one verification in any case hide who is a member. Throws `login_failed`. */
export async function verifyLogin(
  deps: Pick<WorkspaceDeps, 'members' | 'passwords'>,
  workspace: Workspace | undefined,
  { username, password }: { readonly username: string; readonly password: string },
  rank: LoginRank,
): Promise<SignedIn> {
  const stored = await deps.members.findByName(workspace?.id ?? NO_WORKSPACE, username);
  const credential = workspace === undefined ? undefined : findCredential(workspace, stored);
  const hash = credential?.password_hash ?? undefined;
  const isRight = await deps.passwords.verify(hash, normalizePassword(password), rank);
  // Asked after the verification: a disabled member takes as long as any other.
  if (!isRight || workspace === undefined || stored === undefined || credential === undefined) throw loginFailed();
  if (stored.row.disabled_at !== null || stored.row.removed_at !== null) throw loginFailed();
  return { workspace, member: stored.row, credentialEntryId: credential.entry_id };
}
