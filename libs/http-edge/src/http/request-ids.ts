import { randomFillSync } from 'node:crypto';
import { createUuidV7 } from '@answer-evidence/encoding';

const RANDOM_BYTES = 10;
/** One call of the system's generator for many ids: a call for each would cost as much as the rest of the id. */
const POOL_BYTES = 1000 * RANDOM_BYTES;

/** A source of request ids: UUIDv7 of the wall clock. */
export function createRequestIds(): () => string {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + RANDOM_BYTES);
    used += RANDOM_BYTES;
    return createUuidV7(Date.now(), random);
  };
}
