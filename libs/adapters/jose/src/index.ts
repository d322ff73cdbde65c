export { createApplicationTokens } from './application-tokens.ts';
export { thumbprintOf } from './signing-key.ts';
export { type KeyRing, type KeyRingOptions, openKeyRing, type RingKey, type StoredKey } from './key-ring.ts';
