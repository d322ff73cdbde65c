import { formatUserCode } from '@answer-evidence/access';
import type { ConsoleDeviceLogin } from '@answer-evidence/contracts';
import { decideDeviceLogin, findDeviceLogin } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertCsrfToken } from '../../console/assert-same-site.ts';
import type { ConsoleSessionDeps } from '../../console/deps.ts';
import { getOpenSession } from '../../console/find-session.ts';
import { deviceCodeNotValid, getForSession } from '../../device/find-for-session.ts';

/** `POST /console/device-logins/find`: what a device asks for under a code. Wrong codes are counted. */
export function findDeviceLoginRoute(deps: ConsoleSessionDeps): Route {
  return defineRoute({
    ...findDeviceLogin,
    async handle(request) {
      const open = await getOpenSession(deps, request);
      assertCsrfToken(request, open.secret);
      const { userCode, login } = await getForSession(deps, request, open, request.body.user_code);
      const body: ConsoleDeviceLogin = {
        client_name: login.clientName,
        address: login.address,
        user_code: formatUserCode(userCode),
        role: open.member.role,
        token_life_seconds: login.tokenLifeSeconds,
        requested_at: formatTimestamp(login.requestedAt),
        expires_at: formatTimestamp(login.expiresAt),
      };
      return { status: 200, body };
    },
  });
}

/** `POST /console/device-logins`: approves or denies it, once. */
export function decideDeviceLoginRoute(deps: ConsoleSessionDeps): Route {
  return defineRoute({
    ...decideDeviceLogin,
    async handle(request) {
      const open = await getOpenSession(deps, request);
      assertCsrfToken(request, open.secret);
      const { userCode } = await getForSession(deps, request, open, request.body.user_code);
      const { memberId, credentialEntryId, tokenId } = open.session;
      const decision =
        request.body.decision === 'approve'
          ? ({ kind: 'approved', memberId, credentialEntryId, tokenId } as const)
          : ({ kind: 'denied' } as const);
      if (!(await deps.deviceLogins.decide(open.workspace.id, userCode, decision, deps.clock.nowMicros())))
        throw deviceCodeNotValid();
      return { status: 204 };
    },
  });
}
