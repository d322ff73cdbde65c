import { type Profile, profile, setPasswordRequest } from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { setPassword } from '../../members/set-password.ts';

/** `POST /api/auth/password`: sets a password by the secret of a link, once. */
export function setPasswordRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/auth/password',
    operationId: 'setPassword',
    summary: 'Set a password with a one-time link',
    access: 'public',
    rateLimit: 'login',
    body: setPasswordRequest,
    responses: {
      200: { description: 'The password is set; sign in with it', schema: profile },
      401: { description: 'The link is invalid, expired, or already used' },
    },
    async handle(request) {
      const { workspace, member } = await setPassword(deps, request.header('host'), request.body);
      const body: Profile = {
        username: member.username,
        tenant_slug: workspace.slug,
        tenant_display_name: workspace.displayName,
        role: member.role,
      };
      return { status: 200, body };
    },
  });
}
