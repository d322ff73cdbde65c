import { consoleLinkRequest, consoleSessionReply } from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertSameSite } from '../../console/assert-same-site.ts';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { openSession } from '../../console/open-session.ts';
import { setPassword } from '../../members/set-password.ts';

/** `POST /console/session/link`: sets a password by a one-time link, and signs the browser in with it. */
export function useConsoleLinkRoute(deps: ConsoleSessionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/console/session/link',
    operationId: 'useConsoleLink',
    summary: 'Set a password with a one-time link, and sign the browser in',
    access: 'public',
    rateLimit: 'login',
    body: consoleLinkRequest,
    responses: {
      200: {
        description: 'The session',
        schema: consoleSessionReply,
        headers: { 'Set-Cookie': 'The secret of the session, which no script of a page can read' },
      },
      401: { description: 'The link is invalid, expired, or already used' },
      403: { description: 'A page of another site asks for it' },
      409: { description: 'The workspace has as many live tokens as it may have' },
    },
    async handle(request) {
      assertSameSite(request);
      const { link, password } = request.body;
      // The secret stands after the `#` of the link; it may also be given by itself.
      const secret = link.trim().replace(/^[^#]*#/, '');
      const proven = await setPassword(deps, request.header('host'), { secret, password });
      return await openSession(deps, request.header('cookie'), proven);
    },
  });
}
