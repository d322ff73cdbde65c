import { consoleSessionReply } from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { getOpenSession } from '../../console/find-session.ts';
import { toSessionResource } from '../../console/open-session.ts';

/** `GET /console/session`: who is signed in here. Asking is no use of the session: it ends as it would have. */
export function showConsoleSessionRoute(deps: ConsoleSessionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/console/session',
    operationId: 'showConsoleSession',
    summary: 'Show the session of this browser',
    access: 'public',
    // A secret of the session is in it.
    compressReplies: false,
    crossOrigin: false,
    responses: {
      200: { description: 'The session', schema: consoleSessionReply },
      401: { description: 'There is no open session' },
    },
    async handle(request) {
      return { status: 200, body: toSessionResource(deps, await getOpenSession(deps, request)) };
    },
  });
}
