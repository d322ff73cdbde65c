import { actorOf, assertAllowed, assertApplication } from '@answer-evidence/access';
import { type CreateTokenRequest, ServiceError, TOKEN_LIFE_SECONDS_DEFAULT } from '@answer-evidence/contracts';
import { createToken } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { assertMayGive } from '../../tokens/assert-may-give.ts';
import { issueApplicationToken, issueUserToken } from '../../tokens/issue-token.ts';
import { replyWithToken } from '../../tokens/reply-with-token.ts';

/** `POST /api/tokens`: issues a token, shown this once: for the caller themself, or for an application by who may. */
export function createTokenRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...createToken,
    async handle({ body, caller }) {
      const user = authenticatedUser(caller);
      const { name, expires_in_seconds: lifeSeconds = TOKEN_LIFE_SECONDS_DEFAULT } = body;
      const actor = actorOf(user);
      if (body.kind === 'user') {
        assertUnbound(body);
        const own = { id: user.userId };
        return replyWithToken(await issueUserToken(deps, user.workspaceId, own, name, lifeSeconds, actor));
      }
      assertAllowed(user, 'tokens.applications');
      const bound = parseBinding(body);
      assertApplication(user, { application_key: bound.applicationKey });
      assertMayGive(user, bound.scopes);
      const terms = { name, lifeSeconds, actor };
      return replyWithToken(await issueApplicationToken(deps, user.workspaceId, bound, terms));
    },
  });
}

function assertUnbound({ application_key: key, scopes }: CreateTokenRequest): void {
  const surplus = [...(key === undefined ? [] : ['/application_key']), ...(scopes === undefined ? [] : ['/scopes'])];
  if (surplus.length > 0)
    throw refusal('a user token cannot be bound to an application', 'must be left out for a user token', surplus);
}

function parseBinding({ application_key: applicationKey, scopes }: CreateTokenRequest) {
  if (applicationKey !== undefined && scopes !== undefined) return { applicationKey, scopes };
  const missing = [
    ...(applicationKey === undefined ? ['/application_key'] : []),
    ...(scopes === undefined ? ['/scopes'] : []),
  ];
  throw refusal('an application token must have an application and scopes', 'is required', missing);
}

function refusal(message: string, detail: string, pointers: readonly string[]): ServiceError {
  return new ServiceError('schema_violation', message, { errors: pointers.map((pointer) => ({ pointer, detail })) });
}
