import * as z from 'zod';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/** How long a verifier may keep the keys, in seconds. */
const MAX_AGE_SECONDS = 300;

const keySet = z.strictObject({ keys: z.array(z.record(z.string(), z.string())) });

/** `GET /.well-known/jwks.json`: the keys that sign application tokens (RFC 7517). */
export function getKeySetRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/.well-known/jwks.json',
    operationId: 'getKeySet',
    summary: 'Read the public keys of application tokens',
    access: 'public',
    responses: {
      200: {
        description: 'A JWK set',
        schema: keySet,
        headers: { 'Cache-Control': `\`public, max-age=${MAX_AGE_SECONDS}\`` },
      },
    },
    handle() {
      return Promise.resolve({
        status: 200,
        headers: { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` },
        body: deps.applicationTokens.publicKeys(deps.clock.nowMicros()),
      });
    },
  });
}
