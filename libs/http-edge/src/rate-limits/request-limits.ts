import { performance } from 'node:perf_hooks';
import type { Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { Route } from '@answer-evidence/routes';
import type { Exchange } from '../http/exchange.ts';
import { addressKey, type ClientRequest, findClientAddress, networkOf, type TrustedProxies } from './client-address.ts';
import { type LimitName, type RateLimits } from './parse-rate-limits.ts';
import { RateLimiter } from './rate-limiter.ts';

const BYTES_PER_KILOBYTE = 1_024;

/** Whose requests count: by their token, which is one of their workspace. */
type Counted = Pick<Caller, 'tokenId' | 'workspaceId'>;

/** Counts requests of this process against their limits. Every method throws `rate_limited` beyond them. */
export interface RequestLimits {
  /** The key that the client's address is counted under. */
  readonly clientKey: (req: ClientRequest) => string;
  /** A request of a known caller: by their token. */
  countCaller(route: Route, caller: Counted, exchange: Exchange): void;
  /** Before a large body is read, of so many bytes: that what those before it cost is paid, by their token. */
  countBody(caller: Counted, sizeBytes: number, exchange: Exchange): void;
  /** So many bytes of a large body that announced no length have come. Never throws. */
  countBytes(caller: Counted, bytes: number): void;
  /** A large body was read elsewhere, in so many milliseconds of a processor. Never throws. */
  countWork(caller: Counted, ms: number): void;
  /** A body was read in the thread that answers everybody, in so many milliseconds of a processor. Never throws. */
  countWorkHere(caller: Counted, ms: number): void;
  /** A request of a public route: by the client's address. */
  countVisitor(route: Route, req: ClientRequest, exchange: Exchange): void;
  /** Whether any address may have had too many tokens refused; almost always none has: then skip asserting. */
  isShort(exchange: Exchange): boolean;
  /** Before a token that is not known to be good is looked up: that its address has not had too many refused. */
  assertMayTry(req: ClientRequest, exchange: Exchange): void;
  /** A request whose token was refused: by the client's address. */
  countRefused(req: ClientRequest, exchange: Exchange): void;
}

/** The limits as they are set; buckets are kept apart by limit, and tokens from addresses. */
export function createRequestLimits(options: {
  readonly limits: RateLimits;
  readonly trustedProxies: TrustedProxies;
}): RequestLimits {
  const { limits, trustedProxies } = options;
  const callers = createLimiters(limits);
  const visitors = createLimiters(limits);
  const refused = visitors.get('unauthenticated');
  const kilobytes = callers.get('kilobytes');
  const work = callers.get('work');
  // Of its own: large bodies, which wait for threads, do not keep the small ones of their token out.
  const workHere = limits.work === null ? undefined : new RateLimiter('work', limits.work);
  const keyOf = (req: ClientRequest) => addressKey(findClientAddress(req, trustedProxies));

  function count(limiter: RateLimiter | undefined, key: string, group: string, exchange: Exchange): void {
    if (limiter === undefined) return;
    const { header, retryAfterSeconds } = limiter.take(key, exchange.startedMs, group);
    exchange.rateLimitPolicy = limiter.policy;
    exchange.rateLimit = header;
    if (retryAfterSeconds !== undefined) throw tooMany('too many requests', retryAfterSeconds);
  }

  function countAddress(limiter: RateLimiter, key: string, exchange: Exchange): void {
    count(limiter, key, networkOf(key), exchange);
  }

  function assertPaid(budget: RateLimiter, tokenId: string, exchange: Exchange): void {
    const { header, retryAfterSeconds } = budget.look(tokenId, exchange.startedMs);
    if (retryAfterSeconds === undefined) return;
    exchange.rateLimitPolicy = budget.policy;
    exchange.rateLimit = header;
    throw tooMany('the bodies before this one took too much time to read', retryAfterSeconds);
  }

  return {
    clientKey: keyOf,
    isShort: (exchange) => refused?.isShort(exchange.startedMs) === true,
    countCaller(route, { tokenId, workspaceId }, exchange) {
      count(callers.get(route.rateLimit ?? 'default'), tokenId, workspaceId, exchange);
      if (workHere?.isShort(exchange.startedMs) === true) assertPaid(workHere, tokenId, exchange);
    },
    countBody({ tokenId, workspaceId }, sizeBytes, exchange) {
      for (const budget of [kilobytes, work]) {
        if (budget !== undefined) assertPaid(budget, tokenId, exchange);
      }
      kilobytes?.spend(tokenId, sizeBytes / BYTES_PER_KILOBYTE, exchange.startedMs, workspaceId);
    },
    countBytes({ tokenId, workspaceId }, bytes) {
      kilobytes?.spend(tokenId, bytes / BYTES_PER_KILOBYTE, performance.now(), workspaceId);
    },
    countWork({ tokenId, workspaceId }, ms) {
      work?.spend(tokenId, ms, performance.now(), workspaceId);
    },
    countWorkHere({ tokenId, workspaceId }, ms) {
      workHere?.spend(tokenId, ms, performance.now(), workspaceId);
    },
    countVisitor(route, req, exchange) {
      const limiter = visitors.get(route.rateLimit ?? 'default');
      if (limiter !== undefined) countAddress(limiter, keyOf(req), exchange);
    },
    assertMayTry(req, exchange) {
      if (refused === undefined) return;
      const key = keyOf(req);
      if (refused.isEmpty(key, exchange.startedMs, networkOf(key))) countAddress(refused, key, exchange);
    },
    countRefused(req, exchange) {
      if (refused !== undefined) countAddress(refused, keyOf(req), exchange);
    },
  };
}

function createLimiters(limits: RateLimits): ReadonlyMap<LimitName, RateLimiter> {
  const limiters = new Map<LimitName, RateLimiter>();
  for (const name of ['create', 'default', 'login', 'proof', 'unauthenticated', 'kilobytes', 'work'] as const) {
    const quota = limits[name];
    if (quota !== null) limiters.set(name, new RateLimiter(name, quota));
  }
  return limiters;
}

function tooMany(what: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('rate_limited', `${what}; retry after ${retryAfterSeconds} s`, {
    remedy: 'retry',
    retryAfterSeconds,
  });
}
