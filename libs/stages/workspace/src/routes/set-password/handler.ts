import { setPassword as operation } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { toProfileResource } from '../../login/to-profile-resource.ts';
import { setPassword } from '../../members/set-password.ts';

/** `POST /api/auth/password`: sets a password by the secret of a link, once. */
export function setPasswordRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...operation,
    async handle(request) {
      const { workspace, member } = await setPassword(deps, request.header('host'), request.body);
      return { status: 200, body: toProfileResource({ workspace, member }) };
    },
  });
}
