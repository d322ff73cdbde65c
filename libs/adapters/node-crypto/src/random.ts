import { randomFillSync } from 'node:crypto';
import type { RandomSource } from '@answer-evidence/ports';

const POOL_BYTES = 64 * 1024;

/**
 * Random bytes out of a pool that `fill` fills as a whole: one call of the system for thousands of nonces. Each byte is
 * handed out once, as a copy, and is zero in the pool from then on. A virtual machine that is started twice from one
 * snapshot of its memory would hand out the rest of its pool twice; do not clone running services so.
 */
export function createRandomPool(fill: (bytes: Uint8Array<ArrayBuffer>) => void): RandomSource {
  const pool = new Uint8Array(POOL_BYTES);
  let at = POOL_BYTES;
  return {
    bytes(sizeBytes) {
      // A negative size would move the pool back over bytes that are out already.
      if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new RangeError('a size is not a count of bytes');
      if (sizeBytes > POOL_BYTES) {
        const large = new Uint8Array(sizeBytes);
        fill(large);
        return large;
      }
      if (at + sizeBytes > POOL_BYTES) {
        // Should `fill` throw, nothing of the old pool may follow.
        at = POOL_BYTES;
        fill(pool);
        at = 0;
      }
      const taken = pool.slice(at, at + sizeBytes);
      pool.fill(0, at, at + sizeBytes);
      at += sizeBytes;
      return taken;
    },
  };
}

/** The system's generator. */
export const systemRandom: RandomSource = createRandomPool((bytes) => void randomFillSync(bytes));
