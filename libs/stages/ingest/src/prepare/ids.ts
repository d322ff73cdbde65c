import { createUuidV7 } from '@answer-evidence/encoding';
import type { Clock, RandomSource } from '@answer-evidence/ports';

/** A fresh id, ordered by time. */
export function newId(parts: { readonly clock: Clock; readonly random: RandomSource }): string {
  return createUuidV7(Math.floor(parts.clock.nowMicros() / 1000), parts.random.bytes(10));
}
