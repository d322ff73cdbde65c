import { describe, expect, it } from '@jest/globals';
import * as argon2 from '@node-rs/argon2';
import { createArgon2Hasher } from './argon2-hasher.ts';

const PASSWORD = 'a password of the test';

describe('createArgon2Hasher', () => {
  it('knows a password again and no other, under a salt of its own each time', async () => {
    const hasher = createArgon2Hasher();
    const [first, second] = [await hasher.hash(PASSWORD), await hasher.hash(PASSWORD)];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    expect(await hasher.verify(first, PASSWORD, 'known')).toBe(true);
    expect(await hasher.verify(first, `${PASSWORD} `, 'known')).toBe(false);
    expect(await hasher.verify(first, '', 'known')).toBe(false);
  });

  it('verifies once for no hash at all, with the parameters of a real one, and says no', async () => {
    const seen: string[] = [];
    const hasher = createArgon2Hasher({
      hash: argon2.hash,
      verify: (stored, ...rest) => {
        seen.push(String(stored));
        return argon2.verify(stored, ...rest);
      },
    });
    const real = await hasher.hash(PASSWORD);
    expect([await hasher.verify(undefined, PASSWORD, 'known'), await hasher.verify(real, PASSWORD, 'known')]).toEqual([
      false,
      true,
    ]);
    const parameters = seen.map((stored) => stored.split('$').slice(0, 4).join('$'));
    expect(parameters).toEqual([parameters[0], parameters[0]]);
  });

  it('says no for no hash even where a library would say yes', async () => {
    const hasher = createArgon2Hasher({ hash: argon2.hash, verify: () => Promise.resolve(true) });
    expect(await hasher.verify(undefined, PASSWORD, 'known')).toBe(false);
  });

  it('runs two at once, lets a hundred wait in order, and turns the next away with nothing left behind', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    let running = 0;
    const hasher = createArgon2Hasher({
      hash: argon2.hash,
      verify: async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => open.push(resolve));
        running -= 1;
        return true;
      },
    });
    const order: number[] = [];
    const all = Array.from({ length: 102 }, async (_, n) => {
      await hasher.verify('hash', 'x', 'known');
      order.push(n);
    });
    await expect(hasher.verify('hash', 'x', 'known')).rejects.toMatchObject({
      code: 'overloaded',
      remedy: 'retry',
      retryAfterSeconds: 5,
    });
    for (let left = 102; left > 0; left--) {
      while (open.length === 0) await new Promise((resolve) => setImmediate(resolve));
      open.shift()?.();
    }
    await Promise.all(all);
    expect(order).toEqual(Array.from({ length: 102 }, (_, n) => n));
    expect([most, running]).toEqual([2, 0]);
  });

  it('lets those in first who are known, and turns away others for them', async () => {
    const open: (() => void)[] = [];
    const hasher = createArgon2Hasher({
      hash: argon2.hash,
      verify: async () => {
        await new Promise<void>((resolve) => open.push(resolve));
        return true;
      },
    });
    const order: string[] = [];
    const come = (rank: 'known' | 'first' | 'other') =>
      hasher.verify('hash', 'x', rank).then(
        () => order.push(rank),
        () => order.push(`${rank} refused`),
      );
    const flood = Array.from({ length: 102 }, () => come('other'));
    const right = [come('first'), come('known')];
    for (let left = 102; left > 0; left--) {
      while (open.length === 0) await new Promise((resolve) => setImmediate(resolve));
      open.shift()?.();
    }
    await Promise.all([...flood, ...right]);
    expect(order.filter((who) => who.endsWith('refused'))).toEqual(['other refused', 'other refused']);
    const served = order.filter((who) => !who.endsWith('refused'));
    expect(served.slice(0, 4)).toEqual(['other', 'other', 'known', 'first']);
  });

  it('frees its place when hashing fails', async () => {
    const hasher = createArgon2Hasher();
    const broken = Array.from({ length: 5 }, () => hasher.verify('not a hash', PASSWORD, 'known'));
    for (const result of await Promise.allSettled(broken)) expect(result.status).toBe('rejected');
    expect(await hasher.verify(await hasher.hash(PASSWORD), PASSWORD, 'known')).toBe(true);
  });
});
