import { createSecretKey, type KeyObject } from 'node:crypto';
import { utf8 } from '@answer-evidence/encoding';
import type { RowMac } from '@answer-evidence/ledger';
import { type ObjectKey, VaultError } from '@answer-evidence/ports';
import { KEY_BYTES } from './derive-key.ts';
import { systemRandom } from './random.ts';
import { formatAssociated, seal, SEALING_BYTES, unseal } from './sealing.ts';

/** The first of the 33 bytes that are stored of a key since version 2; 32 random bytes follow, its seed. */
const VERSION = 2;
/** In its place where all contents of the object are sealed as one. A release that does not know it refuses the key. */
const WHOLE_VERSION = 3;
const STORED_BYTES = 1 + KEY_BYTES;
/** Length of a key that was encrypted, as in version 1. */
const ENCRYPTED_BYTES = KEY_BYTES + SEALING_BYTES;

/** Makes and opens the keys of a workspace's objects. */
type ObjectKeys = {
  create(objectId: string): ObjectKey;
  createWhole(objectId: string): ObjectKey;
  open(objectId: string, stored: Uint8Array): ObjectKey;
};

/**
 * The object keys of one workspace. `derive` makes keys of seeds under a key of the workspace, `wrappingKey` opens
 * those of version 1. A seed is the only thing that a key follows from besides: without it not even the workspace's key
 * helps. What is stored of a key does not authenticate; what the key has sealed does. Why an erasure is as strong as
 * with random keys: decisions 0106 and 0121.
 */
export function createObjectKeys(workspaceId: string, derive: RowMac, wrappingKey: KeyObject): ObjectKeys {
  function keyOf(objectId: string, stored: Uint8Array): Uint8Array {
    if (stored.length === ENCRYPTED_BYTES)
      return unseal(wrappingKey, formatAssociated('object-key', workspaceId, objectId), stored);
    if (stored.length !== STORED_BYTES || (stored[0] !== VERSION && stored[0] !== WHOLE_VERSION))
      throw new VaultError('an object key has the form of no known version');
    return derive('object-key', [objectId, stored]);
  }
  const open = (objectId: string, stored: Uint8Array) =>
    createObjectKey(workspaceId, objectId, keyOf(objectId, stored), stored);
  function create(objectId: string, version: number): ObjectKey {
    const stored = systemRandom.bytes(STORED_BYTES);
    stored[0] = version;
    return open(objectId, stored);
  }
  return {
    create: (objectId) => create(objectId, VERSION),
    createWhole: (objectId) => create(objectId, WHOLE_VERSION),
    open,
  };
}

/** Takes over `bytes` and leaves zeros in them. */
function createObjectKey(workspaceId: string, objectId: string, bytes: Uint8Array, wrapped: Uint8Array): ObjectKey {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  const associated = (field: string) => formatAssociated('object-field', workspaceId, objectId, field);
  return {
    wrapped,
    isWhole: wrapped.length === STORED_BYTES && wrapped[0] === WHOLE_VERSION,
    seal: (field, plaintext) =>
      seal(key, associated(field), typeof plaintext === 'string' ? formatPlaintext(plaintext) : plaintext),
    open: (field, sealed) => parsePlaintext(unseal(key, associated(field), sealed)),
    openBytes: (field, sealed) => unseal(key, associated(field), sealed),
  };
}

// Not the encoding package's `utf8`: Buffer is three times as fast, and this runs for each text of each request.
function formatPlaintext(text: string): Uint8Array {
  return text.isWellFormed() ? Buffer.from(text) : utf8(text);
}

// Not TextDecoder, which would drop a leading byte order mark.
function parsePlaintext(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
