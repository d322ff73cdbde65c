import { LOGIN_LIFE_SECONDS_DEFAULT, type LoginReply } from '@answer-evidence/contracts';
import { login } from '@answer-evidence/contracts/operations';
import { formatHex } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { signIn } from '../../login/sign-in.ts';
import { toProfileResource } from '../../login/to-profile-resource.ts';
import { loginFailed } from '../../login/verify-login.ts';
import { issueUserToken } from '../../tokens/issue-token.ts';

/** Makes generated token names distinct. */
const NAME_BYTES = 4;

/** `POST /api/auth/login`: a user API token for a password. */
export function loginRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...login,
    async handle(request) {
      const { username, password, workspace: named, token_name: tokenName, expires_in_seconds: life } = request.body;
      const signedIn = await signIn(deps, request, { username, password, workspace: named });
      const { member, credentialEntryId } = signedIn;
      const issued = await issueUserToken(
        deps,
        signedIn.workspace.id,
        { id: member.id },
        tokenName ?? `login-${member.username.slice(0, 100)}-${formatHex(deps.random.bytes(NAME_BYTES))}`,
        life ?? LOGIN_LIFE_SECONDS_DEFAULT,
        { kind: 'user', id: member.id, token_id: null },
        // What was verified may have ended since: then this login comes too late.
        { credentialEntryId, refusal: loginFailed() },
      );
      const baseUrl = deps.publicUrl?.(signedIn.workspace.slug) ?? null;
      const body: LoginReply = { ...issued, base_url: baseUrl, profile: toProfileResource(signedIn) };
      return { status: 200, body };
    },
  });
}
