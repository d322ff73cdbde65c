import { createConsoleSession } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertSameSite } from '../../console/assert-same-site.ts';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { openSession } from '../../console/open-session.ts';
import { signIn } from '../../login/sign-in.ts';

/** `POST /console/session`: signs a browser in with a password. */
export function createConsoleSessionRoute(deps: ConsoleSessionDeps): Route {
  return defineRoute({
    ...createConsoleSession,
    async handle(request) {
      assertSameSite(request);
      const { name: username, password, workspace } = request.body;
      const signedIn = await signIn(deps, request, { username, password, workspace });
      return await openSession(deps, request.header('cookie'), signedIn);
    },
  });
}
