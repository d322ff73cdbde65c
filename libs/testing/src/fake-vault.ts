import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { hmacSha256, sha256 } from '@answer-evidence/digest';
import { concatBytes, formatHex, utf8 } from '@answer-evidence/encoding';
import { createContentKeys } from '@answer-evidence/node-crypto';
import { type ObjectKey, VaultError, type WorkspaceVault } from '@answer-evidence/ports';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A vault whose secrets live as long as it does. It really seals, wraps and signs; only nothing is derived or kept. */
export function createFakeVault(workspaceId: string): WorkspaceVault {
  const wrappingKey = randomBytes(32);
  const fingerprintKey = randomBytes(32);
  const macKey = randomBytes(32);
  const contentKeys = createContentKeys(workspaceId, createSecretKey(randomBytes(32)));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');

  function objectKey(objectId: string, key: Uint8Array, wrapped: Uint8Array): ObjectKey {
    const about = (field: string) => JSON.stringify([workspaceId, objectId, field]);
    return {
      wrapped,
      seal: (field, plaintext) => seal(key, about(field), typeof plaintext === 'string' ? utf8(plaintext) : plaintext),
      open: (field, sealed) => new TextDecoder().decode(open(key, about(field), sealed)),
      openBytes: (field, sealed) => open(key, about(field), sealed),
    };
  }
  const fingerprintOfHashKey = (key: Uint8Array) =>
    `sha256:${formatHex(sha256(concatBytes(utf8('fake-hash-key\n'), key)))}`;

  return {
    workspaceId,
    createObjectKey(objectId) {
      const key = randomBytes(32);
      return objectKey(objectId, key, seal(wrappingKey, `object ${objectId}`, key));
    },
    openObjectKey: (objectId, wrapped) =>
      objectKey(objectId, open(wrappingKey, `object ${objectId}`, wrapped), wrapped),
    createContentKey: (contentId) => contentKeys.create(contentId),
    openContentKey: (contentId, wrapped) => contentKeys.open(contentId, wrapped),
    createHashKey(keyId) {
      const key = randomBytes(32);
      return { wrapped: seal(wrappingKey, `hash key ${keyId}`, key), fingerprint: fingerprintOfHashKey(key) };
    },
    openHashKey: (keyId, wrapped) => open(wrappingKey, `hash key ${keyId}`, wrapped),
    createLedgerKey(nameOf) {
      const made = generateKeyPairSync('ed25519');
      const name = nameOf(publicBytesOf(made.publicKey));
      const der = made.privateKey.export({ type: 'pkcs8', format: 'der' });
      return { name, wrapped: seal(wrappingKey, `ledger key ${name}`, der) };
    },
    openLedgerKey(name, wrapped) {
      const der = Buffer.from(open(wrappingKey, `ledger key ${name}`, wrapped));
      const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      return {
        publicKey: publicBytesOf(createPublicKey(key)),
        sign: (message) => new Uint8Array(sign(null, utf8(message), key)),
      };
    },
    fingerprintOfHashKey,
    fingerprint: (requestText) => hmacSha256(fingerprintKey, requestText),
    mac: (label, parts) =>
      hmacSha256(
        macKey,
        JSON.stringify([label, ...parts.map((part) => (part instanceof Uint8Array ? [formatHex(part)] : part))]),
      ),
    sign: (message) => new Uint8Array(sign(null, utf8(message), privateKey)),
    ledgerPublicKey: publicBytesOf(publicKey),
  };
}

/** The last 32 bytes of the DER form are the key itself (RFC 8410). */
function publicBytesOf(key: KeyObject): Uint8Array {
  return new Uint8Array(key.export({ type: 'spki', format: 'der' }).subarray(-32));
}

function seal(key: Uint8Array, about: string, plaintext: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(utf8(about));
  return concatBytes(nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag());
}

function open(key: Uint8Array, about: string, sealed: Uint8Array): Uint8Array {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
      .setAAD(utf8(about))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return concatBytes(decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final());
  } catch (error) {
    throw new VaultError('what was sealed does not authenticate', { cause: error });
  }
}
