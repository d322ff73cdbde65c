import type { Quota } from './parse-rate-limits.ts';

/** What is left to a key, as of a moment on a monotonic clock; `group`: of which keys it is one. */
type Bucket = { level: number; atMs: number; readonly group: string };

/** Most keys that are told apart; a bucket takes about 100 bytes. */
const KEYS_MAX = 20_000;
/** One group of keys may have this part of them. */
const SHARE = 1 / 4;
/** How many groups without room have a count of their own; beyond that, two may meet in one. */
const SHARED_MAX = 1_024;
/** How many of the oldest buckets are looked at for one that is full again, to make room for a new key. */
const LOOKED_AT_MAX = 8;

/** What rounding may take from a request. */
const ROUNDING = 1e-9;
/** One request, less that: who waits as long as they were told must get in. */
const ONE = 1 - ROUNDING;

/** What taking one request came to: the value of the `RateLimit` header, and the wait when there was none left. */
export type Taken = { readonly header: string; readonly retryAfterSeconds: number | undefined };

/**
 * Token buckets of one quota, by key. Only a bucket that is full again is ever forgotten, which changes nothing for its
 * key. A group of keys, such as those of one network or workspace, has a quarter of them at most. Keys without room
 * share one bucket with others of their group. So memory is bounded, nobody is let off by a flood of other keys, and
 * nobody is held back by one of another group.
 */
export class RateLimiter {
  /** The value of the `RateLimit-Policy` header (draft-ietf-httpapi-ratelimit-headers-10, section 3). */
  readonly policy: string;
  readonly #prefix: string;
  readonly #capacity: number;
  readonly #perMs: number;
  readonly #keysMax: number;
  readonly #groupMax: number;
  readonly #buckets = new Map<string, Bucket>();
  /** How many buckets each group has; a group without any is not there. */
  readonly #groups = new Map<string, number>();
  readonly #shared = new Map<number, Bucket>();
  #shortUntilMs = -Infinity;

  constructor(name: string, quota: Quota, keysMax = KEYS_MAX) {
    this.policy = `"${name}";q=${quota.count};w=${quota.windowSeconds}`;
    this.#prefix = `"${name}";r=`;
    this.#capacity = quota.count;
    this.#perMs = quota.count / (quota.windowSeconds * 1_000);
    this.#keysMax = keysMax;
    this.#groupMax = Math.max(1, Math.floor(keysMax * SHARE));
  }

  /** Whether any bucket can be empty now; almost always none is, and then none need be looked up. */
  isShort(nowMs: number): boolean {
    return nowMs < this.#shortUntilMs;
  }

  /** How many keys have a bucket of their own. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one request from a key's bucket. Times may come slightly out of order; none of them counts twice. */
  take(key: string, nowMs: number, group = key): Taken {
    const bucket = this.#fill(this.#buckets.get(key) ?? this.#add(key, nowMs, group), nowMs);
    if (bucket.level < ONE) {
      const wait = this.#waitSeconds(bucket);
      return { header: `${this.#prefix}0;t=${wait}`, retryAfterSeconds: wait };
    }
    bucket.level = Math.max(0, bucket.level - 1);
    if (bucket.level < ONE) this.#shortUntilMs = Math.max(this.#shortUntilMs, nowMs + (1 - bucket.level) / this.#perMs);
    return {
      header: `${this.#prefix}${Math.floor(bucket.level + ROUNDING)};t=${this.#waitSeconds(bucket)}`,
      retryAfterSeconds: undefined,
    };
  }

  /** Puts back one request that was taken of a key's bucket and turned out not to count. */
  giveBack(key: string, nowMs: number): void {
    const bucket = this.#buckets.get(key);
    // A bucket that was forgotten was full, and what is shared belongs to nobody in particular.
    if (bucket === undefined) return;
    bucket.level = Math.min(this.#capacity, this.#fill(bucket, nowMs).level + 1);
  }

  /** Takes so much of a key's bucket, into debt if need be: what a request costs may be known only when it was done. */
  spend(key: string, amount: number, nowMs: number, group = key): void {
    const bucket = this.#fill(this.#buckets.get(key) ?? this.#add(key, nowMs, group), nowMs);
    bucket.level -= amount;
    if (bucket.level < ONE) this.#shortUntilMs = Math.max(this.#shortUntilMs, nowMs + (1 - bucket.level) / this.#perMs);
  }

  /** What is left to the key, as taking one would say it of an empty bucket; takes nothing. */
  look(key: string, nowMs: number): Taken {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined || this.#fill(bucket, nowMs).level >= ONE)
      return { header: '', retryAfterSeconds: undefined };
    const wait = this.#waitSeconds(bucket);
    return { header: `${this.#prefix}0;t=${wait}`, retryAfterSeconds: wait };
  }

  /** Whether the key has nothing left; takes nothing. */
  isEmpty(key: string, nowMs: number, group = key): boolean {
    const bucket = this.#buckets.get(key) ?? (this.#hasRoom(group) ? undefined : this.#shared.get(slotOf(group)));
    return bucket !== undefined && this.#fill(bucket, nowMs).level < ONE;
  }

  #hasRoom(group: string): boolean {
    return this.#buckets.size < this.#keysMax && (this.#groups.get(group) ?? 0) < this.#groupMax;
  }

  #fill(bucket: Bucket, nowMs: number): Bucket {
    const elapsedMs = nowMs - bucket.atMs;
    if (elapsedMs > 0) {
      bucket.level = Math.min(this.#capacity, bucket.level + elapsedMs * this.#perMs);
      bucket.atMs = nowMs;
    }
    return bucket;
  }

  /** Until one more request is there, as `t` and `Retry-After` have it: whole seconds, at least one. */
  #waitSeconds(bucket: Bucket): number {
    // Without the rounding, what comes to a whole number of seconds may be told as one more.
    const missing = Math.max(Math.floor(bucket.level) + 1, 1) - bucket.level - ROUNDING;
    return Math.max(1, Math.ceil(missing / this.#perMs / 1_000));
  }

  #add(key: string, nowMs: number, group: string): Bucket {
    if (!this.#hasRoom(group)) this.#makeRoom(nowMs);
    const bucket = { level: this.#capacity, atMs: nowMs, group };
    if (!this.#hasRoom(group)) {
      const slot = slotOf(group);
      const shared = this.#shared.get(slot) ?? bucket;
      this.#shared.set(slot, shared);
      return shared;
    }
    this.#buckets.set(key, bucket);
    this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
    return bucket;
  }

  /** Forgets full buckets among the oldest; what is not full goes to the end, so that each is looked at in turn. */
  #makeRoom(nowMs: number): void {
    let looked = 0;
    for (const [key, bucket] of this.#buckets) {
      if (looked++ === LOOKED_AT_MAX) break;
      this.#buckets.delete(key);
      if (this.#fill(bucket, nowMs).level < this.#capacity) this.#buckets.set(key, bucket);
      else this.#leave(bucket.group);
    }
  }

  #leave(group: string): void {
    const left = (this.#groups.get(group) ?? 0) - 1;
    if (left > 0) this.#groups.set(group, left);
    else this.#groups.delete(group);
  }
}

function slotOf(group: string): number {
  let hash = 0;
  for (let at = 0; at < group.length; at++) hash = (Math.imul(hash, 31) + group.charCodeAt(at)) >>> 0;
  return hash % SHARED_MAX;
}
