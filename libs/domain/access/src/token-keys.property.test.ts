import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TOKEN_LIFE_SECONDS_MAX } from '@answer-evidence/contracts';
import {
  findSigningKey,
  planAgedTokenKey,
  planTokenKey,
  tokenKeyState,
  type TokenKeyTimes,
  tokenKeyVerifiesUntil,
} from './token-keys.ts';

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;
const LIFE = TOKEN_LIFE_SECONDS_MAX * SECOND;
const LEAD = 3_600 * SECOND;

/** Keys as rotations make them, in any order: each signs some time after the one before. */
const anyKeys = fc
  .tuple(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 }), fc.nat(1_000))
  .chain(([days, turn]) => {
    let signsFrom = 1_000 * DAY;
    const keys = days.map((pause, n): TokenKeyTimes => {
      signsFrom += pause * DAY;
      return { kid: `k${n + 1}`, generation: n + 1, signsFrom };
    });
    return fc.constant([...keys.slice(turn % keys.length), ...keys.slice(0, turn % keys.length)]);
  });
const anyTime = fc.integer({ min: 900, max: 3_000 }).map((day) => day * DAY);

describe('the keys of application tokens', () => {
  it('have exactly one that signs, and no newer one whose time has come', () => {
    fc.assert(
      fc.property(anyKeys, anyTime, (keys, now) => {
        const active = keys.filter((key) => tokenKeyState(keys, key, now) === 'active');
        expect(active).toEqual([findSigningKey(keys, now)]);
        for (const key of keys) {
          const isNext = tokenKeyState(keys, key, now) === 'next';
          expect(isNext).toBe(key.generation > (active[0]?.generation ?? 0));
          if (isNext) expect(key.signsFrom).toBeGreaterThan(now);
        }
      }),
    );
  });

  it('verify every token that they have signed until it expires, and nothing for ever once another has taken over', () => {
    fc.assert(
      fc.property(anyKeys, anyTime, fc.nat(LIFE), (keys, signedAt, life) => {
        const signing = findSigningKey(keys, signedAt);
        if (signing === undefined) throw new Error('there is a key');
        if (signedAt >= signing.signsFrom)
          expect(tokenKeyState(keys, signing, signedAt + life)).not.toMatch(/next|expired/);
        const until = tokenKeyVerifiesUntil(keys, signing);
        if (until === undefined) return;
        expect(tokenKeyState(keys, signing, until - 1)).not.toBe('expired');
        expect(tokenKeyState(keys, signing, until)).toBe('expired');
      }),
    );
  });

  it('change hands on request after the lead, and not twice at once', () => {
    fc.assert(
      fc.property(anyKeys, anyTime, (keys, now) => {
        const planned = planTokenKey(keys, now, LEAD);
        const pending = keys.some(({ signsFrom }) => signsFrom > now);
        expect(planned === undefined).toBe(pending);
        if (planned === undefined) return;
        expect(planned).toEqual({ generation: keys.length + 1, signsFrom: now + LEAD });
        expect(planTokenKey([...keys, { kid: 'new', ...planned }], now, LEAD)).toBeUndefined();
      }),
    );
  });

  it('change hands by age, when the newest comes of age and never without the lead', () => {
    const keys = [{ kid: 'a', generation: 1, signsFrom: 1_000 * DAY }];
    const plan = (now: number) => planAgedTokenKey(keys, now, 90 * DAY, LEAD);
    expect(plan(1_090 * DAY - LEAD - 1)).toBeUndefined();
    expect(plan(1_090 * DAY - LEAD)).toEqual({ generation: 2, signsFrom: 1_090 * DAY });
    expect(plan(1_200 * DAY)).toEqual({ generation: 2, signsFrom: 1_200 * DAY + LEAD });
    expect(planAgedTokenKey([], 0, DAY, LEAD)).toBeUndefined();
  });
});
