import { createUuidV7, formatHex } from '@answer-evidence/encoding';
import type { Clock, RandomSource } from './clock.ts';

const NONCE_BYTES = 16;

/** Where ids and nonces come from. */
export type IdSource = { readonly clock: Clock; readonly random: RandomSource };

/** A fresh UUIDv7. */
export function newId(source: IdSource): string {
  return createUuidV7(Math.floor(source.clock.nowMicros() / 1000), source.random.bytes(10));
}

/** 16 random bytes in a core, against guessing at the core from its hash. */
export function newNonce({ random }: Pick<IdSource, 'random'>): Uint8Array {
  return random.bytes(NONCE_BYTES);
}

/** The members that every core has: an id, ordered by time, and a nonce. */
export function newCoreIdentity(source: IdSource): { readonly id: string; readonly nonce: string } {
  return { id: newId(source), nonce: formatHex(newNonce(source)) };
}
