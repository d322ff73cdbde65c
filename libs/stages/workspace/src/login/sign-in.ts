import type { LoginThrottle } from '@answer-evidence/ports';
import type { WorkspaceDeps } from '../deps.ts';
import { findLoginWorkspace } from './find-workspace.ts';
import { isLoginFailed, type SignedIn, verifyLogin } from './verify-login.ts';

/** What somebody signs in with. */
type Credentials = {
  readonly username: string;
  readonly password: string;
  readonly workspace: string | undefined;
};

/** From where. */
type Place = { header(name: string): string | undefined; clientKey(): string };

type SignInDeps = Pick<WorkspaceDeps, 'directory' | 'workspaceOfHost' | 'members' | 'passwords'> & {
  readonly loginThrottle: LoginThrottle;
};

/** Verifies a password within the limits of tries. Throws `login_failed`, `rate_limited`, `schema_violation`. */
export async function signIn(deps: SignInDeps, place: Place, credentials: Credentials): Promise<SignedIn> {
  const { username, password, workspace: named } = credentials;
  const workspace = await findLoginWorkspace(deps, place.header('host'), named);
  const attempt = await deps.loginThrottle.begin(`${workspace?.id ?? named ?? ''}\n${username}`, place.clientKey());
  const signedIn = await verifyLogin(deps, workspace, { username, password }, attempt.rank).catch(
    async (error: unknown) => {
      // An overload or a database that is unavailable: else it would lock people out by tries that were none.
      if (!isLoginFailed(error)) await attempt.withdraw();
      throw error;
    },
  );
  await attempt.succeed();
  return signedIn;
}
