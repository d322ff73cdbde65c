import { showConsoleSession } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { getOpenSession } from '../../console/find-session.ts';
import { toSessionResource } from '../../console/open-session.ts';

/** `GET /console/session`: who is signed in here. Asking is no use of the session: it ends as it would have. */
export function showConsoleSessionRoute(deps: ConsoleSessionDeps): Route {
  return defineRoute({
    ...showConsoleSession,
    async handle(request) {
      return { status: 200, body: toSessionResource(deps, await getOpenSession(deps, request)) };
    },
  });
}
