import { endConsoleSession, endConsoleSessions, type Operation } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertCsrfToken } from '../../console/assert-same-site.ts';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { endSessions } from '../../console/end-sessions.ts';
import { getOpenSession } from '../../console/find-session.ts';
import { formatEndedCookie } from '../../console/session-cookie.ts';

/** `DELETE /console/session`: signs this browser out. */
export function endConsoleSessionRoute(deps: ConsoleSessionDeps): Route {
  return endingRoute(deps, endConsoleSession, false);
}

/** `DELETE /console/sessions`: signs the member out in every browser. */
export function endConsoleSessionsRoute(deps: ConsoleSessionDeps): Route {
  return endingRoute(deps, endConsoleSessions, true);
}

function endingRoute(deps: ConsoleSessionDeps, operation: Operation, isEverywhere: boolean): Route {
  return defineRoute({
    ...operation,
    async handle(request) {
      const { workspace, session, secret } = await getOpenSession(deps, request);
      assertCsrfToken(request, secret);
      const ended = isEverywhere ? await deps.consoleSessions.ofMember(workspace.id, session.memberId) : [session];
      await endSessions(deps, workspace, ended);
      return { status: 204, headers: { 'Set-Cookie': formatEndedCookie(deps.basePath) } };
    },
  });
}
