import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRandomPool, systemRandom } from './random.ts';

const sizes = fc.array(fc.oneof(fc.nat(64), fc.nat(70_000)), { minLength: 1, maxLength: 40 });

/** Fills with a stream in which each four aligned bytes are another number, so that bytes handed out twice are seen. */
function createCountingPool() {
  let counter = 0;
  const filled: Uint8Array[] = [];
  const pool = createRandomPool((bytes) => {
    filled.push(bytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let at = 0; at + 4 <= bytes.length; at += 4) view.setUint32(at, ++counter);
  });
  return { pool, filled };
}

describe('createRandomPool', () => {
  it('never hands out the same bytes twice, and none that were not filled', () => {
    fc.assert(
      fc.property(sizes, (list) => {
        const { pool } = createCountingPool();
        const seen = new Set<number>();
        for (const size of list) {
          // Whole numbers only: the counter's four bytes are never torn.
          const bytes = pool.bytes(size * 4);
          expect(bytes).toHaveLength(size * 4);
          const view = new DataView(bytes.buffer, bytes.byteOffset);
          for (let at = 0; at < bytes.length; at += 4) {
            const number = view.getUint32(at);
            if (number === 0 || seen.has(number)) throw new Error('bytes were handed out twice, or never filled');
            seen.add(number);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps nothing of what it handed out, and shares no memory with its caller', () => {
    const { pool, filled } = createCountingPool();
    const first = pool.bytes(40);
    const [inside] = filled;
    expect(inside?.subarray(0, 40).every((byte) => byte === 0)).toBe(true);
    expect(first.buffer.byteLength).toBe(40);
    first.fill(7);
    expect(inside?.subarray(0, 40).every((byte) => byte === 0)).toBe(true);
    expect(pool.bytes(40).some((byte) => byte !== 0)).toBe(true);
  });

  it('hands out nothing when the generator fails, now or in place of what failed', () => {
    let isBroken = true;
    const pool = createRandomPool((bytes) => {
      if (isBroken) throw new Error('no entropy');
      bytes.fill(1);
    });
    expect(() => pool.bytes(4)).toThrow('no entropy');
    expect(() => pool.bytes(4)).toThrow('no entropy');
    isBroken = false;
    expect(pool.bytes(4)).toEqual(Uint8Array.of(1, 1, 1, 1));
    pool.bytes(65_000);
    isBroken = true;
    expect(() => pool.bytes(1_000)).toThrow('no entropy');
    expect(() => pool.bytes(1)).toThrow('no entropy');
  });

  it('refuses sizes that are no count of bytes', () => {
    for (const size of [-1, 0.5, Number.NaN, Infinity]) expect(() => systemRandom.bytes(size)).toThrow(RangeError);
  });
});

describe('systemRandom', () => {
  it('gives different bytes each time', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 10_000; i++) seen.add(Buffer.from(systemRandom.bytes(16)).toString('hex'));
    expect(seen.size).toBe(10_000);
  });
});
