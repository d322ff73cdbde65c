import type { KeyObject } from 'node:crypto';
import { formatHex } from '@answer-evidence/encoding';

const KEYS_CACHED_MAX = 100;

/** Keeps the key objects that were asked for last: a process checks signatures of few keys, many times. */
export function cacheKeys(create: (publicKey: Uint8Array) => KeyObject): (publicKey: Uint8Array) => KeyObject {
  /** By the hex of the public key, the one added last at the end. */
  const cached = new Map<string, KeyObject>();
  return (publicKey) => {
    const name = formatHex(publicKey);
    const known = cached.get(name);
    if (known !== undefined) return known;
    const key = create(publicKey);
    const [oldest] = cached.keys();
    if (cached.size >= KEYS_CACHED_MAX && oldest !== undefined) cached.delete(oldest);
    cached.set(name, key);
    return key;
  };
}
