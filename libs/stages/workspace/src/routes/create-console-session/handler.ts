import { consoleSessionReply, consoleSignInRequest } from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertSameSite } from '../../console/assert-same-site.ts';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { openSession } from '../../console/open-session.ts';
import { signIn } from '../../login/sign-in.ts';

/** `POST /console/session`: signs a browser in with a password. */
export function createConsoleSessionRoute(deps: ConsoleSessionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/console/session',
    operationId: 'createConsoleSession',
    summary: 'Sign a browser in with a password',
    access: 'public',
    rateLimit: 'login',
    body: consoleSignInRequest,
    responses: {
      200: {
        description: 'The session',
        schema: consoleSessionReply,
        headers: { 'Set-Cookie': 'The secret of the session, which no script of a page can read' },
      },
      401: { description: 'Name, password or workspace is wrong, or the member is disabled' },
      403: { description: 'A page of another site asks for it' },
      409: { description: 'The workspace has as many live tokens as it may have' },
      429: { description: 'Too many failed logins for this account or from this address' },
    },
    async handle(request) {
      assertSameSite(request);
      const { name: username, password, workspace } = request.body;
      const signedIn = await signIn(deps, request, { username, password, workspace });
      return await openSession(deps, request.header('cookie'), signedIn);
    },
  });
}
