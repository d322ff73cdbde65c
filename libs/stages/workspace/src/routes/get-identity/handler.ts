import { accessOf, type Caller } from '@answer-evidence/access';
import { type Identity, roleOf } from '@answer-evidence/contracts';
import { getIdentity } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/** `GET /api/whoami`: whose token this is, and in which workspace. */
export function getIdentityRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...getIdentity,
    async handle({ caller }) {
      const bearer = caller;
      return { status: 200, body: toIdentityResource(bearer, await deps.directory.get(bearer.workspaceId)) };
    },
  });
}

function toIdentityResource(bearer: Caller, workspace: Workspace): Identity {
  const isUser = bearer.kind === 'user';
  return {
    kind: bearer.kind,
    id: isUser ? bearer.userId : bearer.applicationKey,
    token_id: bearer.tokenId,
    username: isUser ? bearer.username : null,
    role: isUser ? roleOf(bearer.role) : null,
    ...(isUser ? { access: accessOf(bearer) } : {}),
    application_key: isUser ? null : bearer.applicationKey,
    scopes: isUser ? [] : [...bearer.scopes],
    expires_at: formatTimestamp(bearer.expiresAt),
    workspace: { id: workspace.id, slug: workspace.slug, display_name: workspace.displayName },
  };
}
