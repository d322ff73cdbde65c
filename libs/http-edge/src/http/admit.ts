import { assertAllowed, assertWithinLimits } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { Route } from '@answer-evidence/routes';
import type { Authenticator } from '../auth/authenticator.ts';
import type { HostPolicy } from '../auth/host-policy.ts';
import type { TokenRefusal } from '../auth/read-caller.ts';
import type { ClientRequest } from '../rate-limits/client-address.ts';
import type { RequestLimits } from '../rate-limits/request-limits.ts';
import type { Exchange } from './exchange.ts';

/** What deciding about a caller needs. */
export type Gate = {
  readonly authenticator: Authenticator;
  readonly hosts: HostPolicy;
  readonly limits: RequestLimits;
};

const REFUSALS: Readonly<Record<TokenRefusal | 'unauthenticated', string>> = {
  unauthenticated: 'a bearer token of this service is required: send Authorization: Bearer TOKEN',
  token_malformed: 'the header Authorization contains no whole token: send Bearer and the token as it was issued',
  token_expired: 'the token has expired; sign in again, or send a token that was issued since',
  token_revoked: 'the token was revoked, or its member is disabled; send another token',
};

/** The same of a token of another installation, of a forged one and of one that never was. */
const UNKNOWN_TOKEN = 'the token is not one of this service; send a token that this service issued, as it was issued';

/**
 * Lets the caller of a route in, and sets it on the exchange as soon as it is known, so that a refusal is logged with
 * its token. Throws `unauthenticated` or why a token is not accepted, then `rate_limited`, then what the host refuses
 * with, then what the access matrix and the limits of a role refuse with. An address with too many refused tokens gets
 * `rate_limited` for further tokens that were not good a moment ago, without their being looked up.
 */
export async function admit(gate: Gate, route: Route, exchange: Exchange, req: ClientRequest): Promise<void> {
  const { authorization, host } = req.headers;
  if (route.access === 'public') {
    gate.limits.countVisitor(route, req, exchange);
    await gate.hosts.assertHost(host, null);
    return;
  }
  const { authenticator, limits } = gate;
  if (limits.isShort(exchange) && !authenticator.wasGood(authorization)) limits.assertMayTry(req, exchange);
  const caller = await authenticator.authenticate(authorization);
  if (typeof caller !== 'object') {
    limits.countRefused(req, exchange);
    if (caller === undefined && authorization !== undefined) throw new ServiceError('unauthenticated', UNKNOWN_TOKEN);
    const code = caller ?? 'unauthenticated';
    throw new ServiceError(code, REFUSALS[code]);
  }
  exchange.caller = caller;
  limits.countCaller(route, caller, exchange);
  const checked = gate.hosts.assertHost(host, caller);
  if (checked !== undefined) await checked;
  assertAllowed(caller, route.access);
  assertWithinLimits(caller, route);
}
