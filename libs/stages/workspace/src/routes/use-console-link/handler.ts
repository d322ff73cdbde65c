import { useConsoleLink } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertSameSite } from '../../console/assert-same-site.ts';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { openSession } from '../../console/open-session.ts';
import { setPassword } from '../../members/set-password.ts';

/** `POST /console/session/link`: sets a password by a one-time link, and signs the browser in with it. */
export function useConsoleLinkRoute(deps: ConsoleSessionDeps): Route {
  return defineRoute({
    ...useConsoleLink,
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
