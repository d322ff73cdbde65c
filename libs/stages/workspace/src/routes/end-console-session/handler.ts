import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertCsrfToken } from '../../console/assert-same-site.ts';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { endSessions } from '../../console/end-sessions.ts';
import { getOpenSession } from '../../console/find-session.ts';
import { formatEndedCookie } from '../../console/session-cookie.ts';

/** `DELETE /console/session`: signs this browser out. */
export function endConsoleSessionRoute(deps: ConsoleSessionDeps): Route {
  return endingRoute(deps, {
    path: '/console/session',
    operationId: 'endConsoleSession',
    summary: 'Sign this browser out',
    isEverywhere: false,
  });
}

/** `DELETE /console/sessions`: signs the member out in every browser. */
export function endConsoleSessionsRoute(deps: ConsoleSessionDeps): Route {
  return endingRoute(deps, {
    path: '/console/sessions',
    operationId: 'endConsoleSessions',
    summary: 'Sign the member out in every browser',
    isEverywhere: true,
  });
}

function endingRoute(
  deps: ConsoleSessionDeps,
  { isEverywhere, ...named }: Pick<Route, 'path' | 'operationId' | 'summary'> & { readonly isEverywhere: boolean },
): Route {
  return defineRoute({
    ...named,
    method: 'DELETE',
    access: 'public',
    responses: {
      204: { description: 'Signed out', headers: { 'Set-Cookie': 'Removes the secret of the session' } },
      401: { description: 'There is no open session' },
      403: { description: 'X-CSRF-Token is missing or wrong' },
    },
    async handle(request) {
      const { workspace, session, secret } = await getOpenSession(deps, request);
      assertCsrfToken(request, secret);
      const ended = isEverywhere ? await deps.consoleSessions.ofMember(workspace.id, session.memberId) : [session];
      await endSessions(deps, workspace, ended);
      return { status: 204, headers: { 'Set-Cookie': formatEndedCookie(deps.basePath) } };
    },
  });
}
