import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RateLimiter } from './rate-limiter.ts';

const steps = fc.array(fc.nat(400), { minLength: 1, maxLength: 300 });
const quotas = fc.record({ count: fc.integer({ min: 1, max: 50 }), windowSeconds: fc.constantFrom(1, 60) });

describe('a rate limiter', () => {
  it('never lets more through than the bucket held and what has flowed in since', () => {
    fc.assert(
      fc.property(quotas, steps, (quota, pauses) => {
        const limiter = new RateLimiter('x', quota);
        let nowMs = 1_000;
        let taken = 0;
        for (const pause of pauses) {
          nowMs += pause;
          if (limiter.take('a', nowMs).retryAfterSeconds === undefined) taken += 1;
          const inflow = ((nowMs - 1_000) * quota.count) / (quota.windowSeconds * 1_000);
          expect(taken).toBeLessThanOrEqual(quota.count + inflow + 1e-6);
        }
      }),
    );
  });

  it('lets a request through after the wait that it names, and not a second before', () => {
    fc.assert(
      fc.property(quotas, (quota) => {
        const limiter = new RateLimiter('x', quota);
        for (let n = 0; n < quota.count; n++) expect(limiter.take('a', 0).retryAfterSeconds).toBeUndefined();
        const wait = limiter.take('a', 0).retryAfterSeconds ?? 0;
        const perMs = quota.count / quota.windowSeconds / 1_000;
        expect(wait).toBe(Math.max(1, Math.ceil(quota.windowSeconds / quota.count)));
        expect(limiter.take('a', 1 / perMs - 0.01).retryAfterSeconds).toBeDefined();
        expect(limiter.take('a', wait * 1_000).retryAfterSeconds).toBeUndefined();
      }),
    );
  });

  it('names the shortest wait in whole seconds, at any moment', () => {
    fc.assert(
      fc.property(
        quotas,
        fc.array(fc.double({ min: 0, max: 3_000, noNaN: true }), { minLength: 1 }),
        (quota, pauses) => {
          const limiter = new RateLimiter('x', quota);
          let nowMs = 1_000;
          for (const pause of pauses) {
            nowMs += pause;
            let wait = limiter.take('a', nowMs).retryAfterSeconds;
            while (wait === undefined) wait = limiter.take('a', nowMs).retryAfterSeconds;
            if (wait > 1) expect(limiter.isEmpty('a', nowMs + (wait - 1) * 1_000)).toBe(true);
            nowMs += wait * 1_000;
            expect(limiter.isEmpty('a', nowMs)).toBe(false);
          }
        },
      ),
    );
  });

  it('does not give to one key what another one has left, and counts no time twice when times come out of order', () => {
    const limiter = new RateLimiter('x', { count: 2, windowSeconds: 1 });
    expect([1, 2, 3].map(() => limiter.take('a', 100).retryAfterSeconds)).toEqual([undefined, undefined, 1]);
    expect(limiter.take('b', 100).retryAfterSeconds).toBeUndefined();
    expect(limiter.take('a', 600).retryAfterSeconds).toBeUndefined();
    expect(limiter.take('a', 100).retryAfterSeconds).toBe(1);
    expect(limiter.take('a', 600).retryAfterSeconds).toBe(1);
  });

  it('says what is left and when there will be more, in the form of the draft', () => {
    const limiter = new RateLimiter('login', { count: 10, windowSeconds: 60 });
    expect(limiter.policy).toBe('"login";q=10;w=60');
    expect(limiter.take('a', 0).header).toBe('"login";r=9;t=6');
    expect(limiter.take('a', 3_000).header).toBe('"login";r=8;t=3');
    for (let n = 0; n < 8; n++) limiter.take('a', 3_000);
    expect(limiter.take('a', 3_000)).toEqual({ header: '"login";r=0;t=3', retryAfterSeconds: 3 });
  });

  it('keeps at most so many buckets, and a flood of other keys never gives a limited one anything back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.array(fc.nat(200), { maxLength: 300 }), (keysMax, flood) => {
        const limiter = new RateLimiter('x', { count: 3, windowSeconds: 3_600 }, keysMax);
        for (let n = 0; n < 3; n++) limiter.take('limited', 0);
        for (const [n, key] of flood.entries()) {
          limiter.take(`other ${key}`, n);
          expect(limiter.size).toBeLessThanOrEqual(keysMax);
          expect(limiter.isEmpty('limited', n)).toBe(true);
        }
        expect(limiter.take('limited', flood.length).retryAfterSeconds).toBeDefined();
      }),
    );
  });

  it('makes room for new keys by forgetting buckets that are full again', () => {
    const limiter = new RateLimiter('x', { count: 1, windowSeconds: 1 }, 10);
    for (let n = 0; n < 1_000; n++) {
      expect(limiter.take(`key ${n}`, n * 1_001).retryAfterSeconds).toBeUndefined();
    }
    expect(limiter.size).toBeLessThanOrEqual(10);
  });

  it('lets keys without room share a bucket with those of their group, and holds back nobody else', () => {
    const limiter = new RateLimiter('x', { count: 1, windowSeconds: 3_600 }, 8);
    const isTaken = (key: string, group: string) => limiter.take(key, 0, group).retryAfterSeconds === undefined;
    // A quarter of the keys is for one group: its third shares a bucket with all that follow.
    expect(['a1', 'a2', 'a3', 'a4', 'a5'].map((key) => isTaken(key, 'a'))).toEqual([true, true, true, false, false]);
    expect([limiter.isEmpty('never seen', 0, 'a'), limiter.isEmpty('never seen', 0, 'b'), limiter.size]).toEqual([
      ...[true, false, 2],
    ]);
    for (const group of ['b', 'c', 'd']) for (const n of [1, 2]) expect(isTaken(`${group}${n}`, group)).toBe(true);
    expect(limiter.size).toBe(8);
    // With all keys in use, a group that comes new has a bucket too, whatever the others do.
    expect(['e1', 'e2', 'f1', 'b3'].map((key) => isTaken(key, key.slice(0, 1)))).toEqual([true, false, true, true]);
    expect(limiter.size).toBe(8);
  });

  it('gives a group its places back once its keys are full again', () => {
    const limiter = new RateLimiter('x', { count: 1, windowSeconds: 1 }, 8);
    for (let n = 0; n < 100; n++) {
      limiter.take(`one ${n}`, n * 1_001, 'a');
      expect(limiter.isEmpty(`one ${n}`, n * 1_001, 'a')).toBe(true);
      expect(limiter.isEmpty('another', n * 1_001, 'a')).toBe(false);
    }
  });

  it('says that somebody may be short for as long as somebody is, and no longer', () => {
    const limiter = new RateLimiter('x', { count: 2, windowSeconds: 1 });
    limiter.take('a', 0);
    expect(limiter.isShort(0)).toBe(false);
    limiter.take('a', 0);
    expect([0, 499, 500].map((at) => [limiter.isShort(at), limiter.isEmpty('a', at)])).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
  });

  it('lets a key spend more than it has once, and then nothing until that has flowed back', () => {
    fc.assert(
      fc.property(quotas, fc.integer({ min: 1, max: 500 }), (quota, amount) => {
        const limiter = new RateLimiter('x', quota);
        limiter.spend('a', amount, 0);
        const { header, retryAfterSeconds } = limiter.look('a', 0);
        const missing = amount + 1 - quota.count;
        if (missing <= 0) {
          expect([header, retryAfterSeconds]).toEqual(['', undefined]);
          return;
        }
        const seconds = retryAfterSeconds ?? 0;
        expect(header).toBe(`"x";r=0;t=${seconds}`);
        // Rounding may make a whole number of seconds one more.
        const least = Math.max(1, Math.ceil((missing * quota.windowSeconds) / quota.count));
        expect([least, least + 1]).toContain(seconds);
        expect(limiter.take('a', 0).retryAfterSeconds).toBe(seconds);
        expect(limiter.look('a', seconds * 1_000).retryAfterSeconds).toBeUndefined();
        expect(limiter.look('b', 0).retryAfterSeconds).toBeUndefined();
      }),
    );
  });

  it('takes nothing by a look, of a key that it knows or not', () => {
    const limiter = new RateLimiter('x', { count: 2, windowSeconds: 1 });
    for (let n = 0; n < 10; n++) expect(limiter.look('a', 0).retryAfterSeconds).toBeUndefined();
    expect(limiter.size).toBe(0);
    limiter.spend('a', 1, 0);
    for (let n = 0; n < 10; n++) expect(limiter.look('a', 0).retryAfterSeconds).toBeUndefined();
    expect(limiter.take('a', 0).retryAfterSeconds).toBeUndefined();
    expect(limiter.look('a', 0).retryAfterSeconds).toBe(1);
  });
});
