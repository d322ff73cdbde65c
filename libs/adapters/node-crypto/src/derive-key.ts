import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Length of every symmetric key. */
export const KEY_BYTES = 32;

/** What keys are derived for. A label stands for one use for ever; another use gets another label. */
export type KeyUse =
  | 'wrap-workspace/v1'
  | 'wrap-installation/v1'
  | 'database-logins/v1'
  | 'object-keys/v1'
  | 'object-keys/v2'
  | 'content-keys/v1'
  | 'hash-keys/v1'
  | 'ledger-keys/v1'
  | 'word-tokens/v1'
  | 'fingerprint/v1'
  | 'row-mac/v1'
  | 'installation-row-mac/v1';

/** HKDF-SHA-256 (RFC 5869) without salt: `from` is a uniformly random key, so the label alone separates the uses. */
export function deriveKey(from: KeyObject, use: KeyUse): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', from, '', `answer-evidence/${use}`, KEY_BYTES));
}

/** `deriveKey` for a cipher. A KeyObject: OpenSSL takes bytes as a key far more slowly. */
export function deriveCipherKey(from: KeyObject, use: KeyUse): KeyObject {
  const bytes = deriveKey(from, use);
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}
