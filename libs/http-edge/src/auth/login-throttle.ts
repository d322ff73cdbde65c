import { performance } from 'node:perf_hooks';
import { ServiceError } from '@answer-evidence/contracts';
import type { LoginThrottle } from '@answer-evidence/ports';
import { RateLimiter } from '../rate-limits/rate-limiter.ts';

/** Wrong tries at one account from one address. */
const FROM_ONE_ADDRESS = { count: 10, windowSeconds: 3_600 };
/** Wrong tries at one account from all addresses together from which nobody has signed in to it lately. */
const FROM_STRANGERS = { count: 30, windowSeconds: 3_600 };
/** Most pairs of account and address that are remembered for a login; the oldest goes first. */
const FAMILIAR_MAX = 10_000;

/**
 * Two limits, of one process and in memory: a place may be wrong about an account ten times, and then once in six
 * minutes; all places that are new to the account share thirty, and then one in two minutes. So one place, or two,
 * cannot use up what the account's user has elsewhere, and many places together cannot keep them out of where they have
 * signed in before. A right password gives back what its try took, and so does a try that was not verified. `nowMs`
 * never steps back.
 */
export function createLoginThrottle(nowMs: () => number = () => performance.now()): LoginThrottle {
  const places = new RateLimiter('login-place', FROM_ONE_ADDRESS);
  const strangers = new RateLimiter('login-account', FROM_STRANGERS);
  const familiar = new Set<string>();

  function take(limiter: RateLimiter, key: string): void {
    const { retryAfterSeconds } = limiter.take(key, nowMs());
    if (retryAfterSeconds === undefined) return;
    throw new ServiceError('rate_limited', `too many failed logins; retry after ${retryAfterSeconds} s`, {
      remedy: 'retry',
      retryAfterSeconds,
    });
  }

  return {
    begin(account, clientKey) {
      // An address holds no line break, so that the last one is the border.
      const place = `${account}\n${clientKey}`;
      const isStranger = !familiar.has(place);
      take(places, place);
      // What was taken of the place stays taken when this throws: it is about the same account.
      if (isStranger) take(strangers, account);
      function withdraw(): void {
        places.giveBack(place, nowMs());
        if (isStranger) strangers.giveBack(account, nowMs());
      }
      return {
        withdraw,
        succeed() {
          withdraw();
          familiar.delete(place);
          familiar.add(place);
          for (const oldest of familiar) {
            if (familiar.size <= FAMILIAR_MAX) break;
            familiar.delete(oldest);
          }
        },
      };
    },
  };
}
