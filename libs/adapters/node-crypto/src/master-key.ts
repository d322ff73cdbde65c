import { parseBase64, readOr } from '@answer-evidence/encoding';
import { KEY_BYTES } from './derive-key.ts';
import { systemRandom } from './random.ts';

/** A fresh master key. */
export function createMasterKey(): Uint8Array {
  return systemRandom.bytes(KEY_BYTES);
}

/** Reads a master key as operators give it: base64 of exactly 32 bytes. Throws an error that says how to make one. */
export function parseMasterKey(text: string): Uint8Array {
  const key = parseKeyBytes(text);
  if (key?.length !== KEY_BYTES) {
    throw new Error('the master key must be base64 of 32 bytes; create one with: openssl rand -base64 32');
  }
  return key;
}

function parseKeyBytes(text: string): Uint8Array | undefined {
  return readOr(() => parseBase64(text), undefined);
}
