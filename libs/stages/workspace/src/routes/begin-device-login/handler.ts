import {
  createUserCode,
  DEVICE_SECRET_BYTES,
  formatDeviceCode,
  formatUserCode,
  USER_CODE_BYTES,
} from '@answer-evidence/access';
import {
  DEVICE_LOGIN_SECONDS,
  DEVICE_LOGINS_MAX,
  DEVICE_POLL_SECONDS,
  type DeviceLogin,
  LOGIN_LIFE_SECONDS_DEFAULT,
  ServiceError,
} from '@answer-evidence/contracts';
import { beginDeviceLogin } from '@answer-evidence/contracts/operations';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { inTurnOfAddress, linkBaseOf, type WorkspaceDeps } from '../../deps.ts';
import { findLoginWorkspace } from '../../login/find-workspace.ts';

/** Codes are drawn again when another sign-in waits under the same one. */
const DRAWS_MAX = 5;

/** `POST /api/auth/device`: begins a sign-in that a person approves in a browser (RFC 8628). */
export function beginDeviceLoginRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...beginDeviceLogin,
    handle: (request) =>
      inTurnOfAddress(deps, request.clientKey(), async () => {
        const {
          client_name: clientName,
          workspace: named,
          token_name: tokenName,
          expires_in_seconds: life,
        } = request.body;
        const workspace = await findLoginWorkspace(deps, request.header('host'), named);
        const slug = (await deps.workspaceOfHost?.(request.header('host')))?.slug ?? named ?? workspace?.slug;
        const secret = deps.random.bytes(DEVICE_SECRET_BYTES);
        const now = deps.clock.nowMicros();
        // A workspace that does not exist gets codes that nobody can approve: so nobody learns which ones there are.
        const login = {
          workspaceId: workspace?.id ?? null,
          ...(slug === undefined ? {} : { slug }),
          clientName,
          address: request.clientKey(),
          tokenName: tokenName ?? null,
          tokenLifeSeconds: life ?? LOGIN_LIFE_SECONDS_DEFAULT,
          requestedAt: now,
          expiresAt: now + DEVICE_LOGIN_SECONDS * MICROS_PER_SECOND,
        };
        for (let draws = 0; draws < DRAWS_MAX; draws++) {
          const userCode = createUserCode(deps.random.bytes(USER_CODE_BYTES));
          if (userCode === undefined) continue;
          const outcome = await deps.deviceLogins.add(secret, userCode, login, DEVICE_LOGINS_MAX);
          if (outcome === 'taken') continue;
          const body: DeviceLogin = {
            device_code: formatDeviceCode(secret),
            user_code: formatUserCode(userCode),
            verification_url: `${linkBaseOf(deps, { slug: workspace?.slug ?? named ?? '' })}/console/device`,
            expires_in_seconds: DEVICE_LOGIN_SECONDS,
            interval_seconds: DEVICE_POLL_SECONDS,
          };
          return { status: 200, body };
        }
        throw new ServiceError('overloaded', 'no code was free for this sign-in; retry the same request later', {
          remedy: 'retry',
          retryAfterSeconds: DEVICE_POLL_SECONDS,
        });
      }),
  });
}
