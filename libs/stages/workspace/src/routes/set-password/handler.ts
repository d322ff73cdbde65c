import type { Profile } from '@answer-evidence/contracts';
import { setPassword as operation } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { setPassword } from '../../members/set-password.ts';

/** `POST /api/auth/password`: sets a password by the secret of a link, once. */
export function setPasswordRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...operation,
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
