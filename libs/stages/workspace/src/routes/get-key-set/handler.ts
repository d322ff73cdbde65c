import { getKeySet, KEY_SET_MAX_AGE_SECONDS } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/** `GET /.well-known/jwks.json`: the keys that sign application tokens (RFC 7517). */
export function getKeySetRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...getKeySet,
    handle() {
      return Promise.resolve({
        status: 200,
        headers: { 'Cache-Control': `public, max-age=${KEY_SET_MAX_AGE_SECONDS}` },
        body: deps.applicationTokens.publicKeys(deps.clock.nowMicros()),
      });
    },
  });
}
