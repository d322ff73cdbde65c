import { describe, expect, it } from '@jest/globals';
import { openKeyRing, type StoredKey } from './key-ring.ts';
import { thumbprintOf } from './signing-key.ts';

const DAY = 86_400_000_000;
const NOW = 20_000 * DAY;
const FORGED = 'A'.repeat(43);

async function keyOf(n: number, signsFrom: number): Promise<StoredKey> {
  const seed = new Uint8Array(32).fill(n);
  return { kid: await thumbprintOf(seed), generation: n, signsFrom, openSeed: () => seed };
}

/** A ring over a store in memory, on a clock that only its waits move. */
async function openWorld(...first: readonly StoredKey[]) {
  const world = { keys: [...first], loads: 0, monotonicMs: 0, failure: undefined as Error | undefined };
  const ring = await openKeyRing({
    async load() {
      world.loads += 1;
      await Promise.resolve();
      if (world.failure !== undefined) throw world.failure;
      return [...world.keys];
    },
    monotonicMs: () => world.monotonicMs,
    async wait(ms) {
      await Promise.resolve();
      world.monotonicMs += ms;
    },
  });
  return { world, ring };
}

describe('a ring of keys', () => {
  it('finds a key that another process has made a moment ago, however lately it looked', async () => {
    const old = await keyOf(1, NOW - DAY);
    const { world, ring } = await openWorld(old);
    const next = await keyOf(2, NOW);
    world.keys.push(next);
    expect((await ring.find(next.kid, NOW))?.kid).toBe(next.kid);
    const newest = await keyOf(3, NOW);
    world.keys.push(newest);
    expect((await ring.find(newest.kid, NOW))?.kid).toBe(newest.kid);
    expect((await ring.find(old.kid, NOW))?.kid).toBe(old.kid);
    expect(world.loads).toBe(3);
  });

  it('asks the store once a second at most, however many forged ids it is asked for', async () => {
    const { world, ring } = await openWorld(await keyOf(1, NOW - DAY));
    for (let second = 0; second < 5; second++) {
      const found = await Promise.all(Array.from({ length: 200 }, () => ring.find(FORGED, NOW)));
      expect(found.every((key) => key === undefined)).toBe(true);
    }
    expect(world.loads).toBeLessThanOrEqual(6);
    expect(world.monotonicMs).toBeGreaterThanOrEqual(4_000);
  });

  it.each(['', 'k', '../x', `${FORGED}A`, `${FORGED.slice(1)}=`, '__proto__'])(
    'does not ask the store for an id of another form: %j',
    async (kid) => {
      const { world, ring } = await openWorld(await keyOf(1, NOW - DAY));
      expect(await ring.find(kid, NOW)).toBeUndefined();
      expect(world.loads).toBe(1);
    },
  );

  it('rejects for an unknown id while the store is unavailable, knows the others, and recovers', async () => {
    const old = await keyOf(1, NOW - DAY);
    const { world, ring } = await openWorld(old);
    world.failure = new Error('down');
    await expect(ring.find(FORGED, NOW)).rejects.toThrow('down');
    await expect(ring.reload()).rejects.toThrow('down');
    expect((await ring.find(old.kid, NOW))?.kid).toBe(old.kid);
    world.failure = undefined;
    expect(await ring.find(FORGED, NOW)).toBeUndefined();
  });

  it('publishes the next key before it signs, and a retired one until it no longer verifies', async () => {
    const [first, second] = [await keyOf(1, NOW - DAY), await keyOf(2, NOW + DAY)];
    const { ring } = await openWorld(first, second);
    const kids = (at: number) => ring.published(at).map(({ kid }) => kid);
    expect([ring.signing(NOW).kid, ring.signing(NOW + DAY).kid]).toEqual([first.kid, second.kid]);
    expect(kids(NOW)).toEqual([second.kid, first.kid]);
    const until = NOW + DAY + 91 * DAY;
    expect(kids(until - 1)).toEqual([second.kid, first.kid]);
    expect((await ring.find(first.kid, until - 1))?.kid).toBe(first.kid);
    expect(kids(until)).toEqual([second.kid]);
    expect(await ring.find(first.kid, until)).toBeUndefined();
  });

  it('opens a seed once, and keeps what it knows when its seed can no longer be opened', async () => {
    let opened = 0;
    const seed = new Uint8Array(32).fill(1);
    const key = { ...(await keyOf(1, NOW)), openSeed: () => (opened++ === 0 ? seed : new Uint8Array(0)) };
    const { ring } = await openWorld(key);
    await ring.reload();
    expect([opened, ring.signing(NOW).kid]).toEqual([1, key.kid]);
  });
});
