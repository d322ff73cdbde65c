import type { RateLimit } from '@answer-evidence/contracts/operations';

/** So many requests in that time; the bucket holds as many, and fills up again at that rate. */
export type Quota = { readonly count: number; readonly windowSeconds: number };

/**
 * Everything that is limited: what routes name, requests without a good token, and by token what large bodies are in
 * KiB and take of the threads that read them in milliseconds.
 */
export type LimitName = RateLimit | 'unauthenticated' | 'kilobytes' | 'work';

/** The quota of each limit; null: none. */
export type RateLimits = Readonly<Record<LimitName, Quota | null>>;

/** What holds for each limit that the setting does not name. */
export const DEFAULT_RATE_LIMITS =
  'create=2000/s,default=200/s,login=10/min,proof=60/min,unauthenticated=50/s,kilobytes=16384/s,work=500/s';

const OFF: RateLimits = {
  create: null,
  default: null,
  login: null,
  proof: null,
  unauthenticated: null,
  kilobytes: null,
  work: null,
};
const COUNT_MAX = 1_000_000;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 };

/**
 * Reads `off`, or a list such as `create=500/s,login=5/min,default=off`: each limit at most once, a whole number from 1
 * to 1,000,000, units `s`, `min` and `h`. What the list leaves out keeps its default. Throws when the text is anything
 * else.
 */
export function parseRateLimits(text: string): RateLimits {
  return text === 'off' ? OFF : readList(text, readList(DEFAULT_RATE_LIMITS, OFF));
}

function readList(text: string, others: RateLimits): RateLimits {
  const limits: Record<LimitName, Quota | null> = { ...others };
  const named = new Set<string>();
  for (const part of text.split(',')) {
    const [name = '', value = '', ...more] = part.trim().split('=');
    const quota = value === 'off' ? null : parseQuota(value);
    if (!isLimitName(name) || named.has(name) || quota === undefined || more.length > 0)
      throw new Error('not a list of rate limits');
    named.add(name);
    limits[name] = quota;
  }
  return limits;
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(OFF, name);
}

function parseQuota(text: string): Quota | undefined {
  const [, digits, unit] = /^([1-9]\d{0,6})\/(s|min|h)$/.exec(text) ?? [];
  const count = Number(digits);
  const windowSeconds = UNIT_SECONDS[unit ?? ''];
  return windowSeconds === undefined || count > COUNT_MAX ? undefined : { count, windowSeconds };
}
