import { createSecretKey } from 'node:crypto';
import { sha256 } from '@answer-evidence/digest';
import { concatBytes, formatHex, utf8 } from '@answer-evidence/encoding';
import {
  type LedgerKeyAlgorithm,
  type LedgerSigner,
  type OutsideKeys,
  VaultError,
  type WorkspaceVault,
} from '@answer-evidence/ports';
import { createContentKeys } from './content-key.ts';
import { deriveCipherKey, deriveKey, KEY_BYTES } from './derive-key.ts';
import { createEd25519Signer, ED25519_KEY_BYTES } from './ed25519.ts';
import { createHmac } from './hmac.ts';
import { createMlDsa44Signer } from './ml-dsa-44.ts';
import { createObjectKeys } from './object-key.ts';
import { formatOutsideKey, labelOf, openStoredKey } from './outside-key.ts';
import { systemRandom } from './random.ts';
import { rememberSignatures } from './remember-signatures.ts';
import { macOf } from './row-mac.ts';
import { formatAssociated, seal, unseal } from './sealing.ts';

/** Few, as there are many tokens; so many that hardly any two words of a workspace share one. */
const TOKEN_BYTES = 7;
/** The seed of a log's key: RFC 8032 section 5.1.5, and FIPS 204 algorithm 1. */
const LEDGER_SEED_BYTES = ED25519_KEY_BYTES;
const CREATE_SIGNER: Readonly<Record<LedgerKeyAlgorithm, (seed: Uint8Array) => LedgerSigner>> = {
  ed25519: createEd25519Signer,
  'ml-dsa-44': (seed) => rememberSignatures(createMlDsa44Signer(seed)),
};
const HASH_KEY_LABEL = utf8('answer-evidence/hash-key/v1\n');

/** The vault of one workspace. Takes over the workspace's key, and leaves zeros in it. */
export function createWorkspaceVault(
  workspaceId: string,
  keyBytes: Uint8Array,
  firstLedgerKey: LedgerSigner,
  outside: OutsideKeys,
): WorkspaceVault {
  const workspaceKey = createSecretKey(keyBytes);
  const objectKeyOf = createHmac(deriveKey(workspaceKey, 'object-keys/v2'));
  const objectKeys = createObjectKeys(
    workspaceId,
    (label, parts) => macOf(objectKeyOf, label, parts),
    deriveCipherKey(workspaceKey, 'object-keys/v1'),
  );
  const contentKeys = createContentKeys(workspaceId, deriveCipherKey(workspaceKey, 'content-keys/v1'));
  const hashKeysKey = deriveCipherKey(workspaceKey, 'hash-keys/v1');
  const fingerprint = createHmac(deriveKey(workspaceKey, 'fingerprint/v1'));
  const tokenKeyOf = createHmac(deriveKey(workspaceKey, 'word-tokens/v1'));
  const rowMac = createHmac(deriveKey(workspaceKey, 'row-mac/v1'));
  keyBytes.fill(0);
  const ledgerKeysKey = deriveCipherKey(workspaceKey, 'ledger-keys/v1');
  const ledgerKeyPlace = (name: string) => formatAssociated('ledger-key', workspaceId, name);
  const hashKeyPlace = (keyId: string) => formatAssociated('hash-key', workspaceId, keyId);

  return {
    workspaceId,
    createObjectKey: (objectId) => objectKeys.create(objectId),
    createWholeKey: (objectId) => objectKeys.createWhole(objectId),
    openObjectKey: (objectId, wrapped) => objectKeys.open(objectId, wrapped),
    createContentKey: (contentId) => contentKeys.create(contentId),
    openContentKey: (contentId, wrapped) => contentKeys.open(contentId, wrapped),
    createHashKey(keyId) {
      const key = systemRandom.bytes(KEY_BYTES);
      const made = { wrapped: seal(hashKeysKey, hashKeyPlace(keyId), key), fingerprint: fingerprintOfHashKey(key) };
      key.fill(0);
      return made;
    },
    openHashKey(keyId, wrapped) {
      const key = unseal(hashKeysKey, hashKeyPlace(keyId), wrapped);
      if (key.length !== KEY_BYTES) throw new VaultError('a hash key has the wrong length');
      return key;
    },
    async createLedgerKey(nameOf, algorithm = 'ed25519') {
      if (outside.makesNew && algorithm === 'ed25519') {
        const key = await outside.create(labelOf(workspaceId));
        const name = nameOf(key.publicKey);
        return { name, wrapped: seal(ledgerKeysKey, ledgerKeyPlace(name), formatOutsideKey(key)) };
      }
      const seed = systemRandom.bytes(LEDGER_SEED_BYTES);
      const name = nameOf(CREATE_SIGNER[algorithm](seed).publicKey);
      const made = { name, wrapped: seal(ledgerKeysKey, ledgerKeyPlace(name), seed) };
      seed.fill(0);
      return made;
    },
    openLedgerKey(name, wrapped, algorithm = 'ed25519') {
      const stored = unseal(ledgerKeysKey, ledgerKeyPlace(name), wrapped);
      if (algorithm === 'ed25519') return openStoredKey(stored, outside);
      if (stored.length !== LEDGER_SEED_BYTES) throw new VaultError('a ledger key has an unknown form');
      const opened = CREATE_SIGNER[algorithm](stored);
      stored.fill(0);
      return opened;
    },
    fingerprintOfHashKey,
    fingerprint,
    createTokenizer(salt) {
      const tokenOf = createHmac(tokenKeyOf(formatHex(salt)));
      return (field, word) => tokenOf(`${field}\n${word}`).slice(0, TOKEN_BYTES);
    },
    mac: (label, parts) => macOf(rowMac, label, parts),
    firstLedgerKey,
  };
}

function fingerprintOfHashKey(key: Uint8Array): string {
  return `sha256:${formatHex(sha256(concatBytes(HASH_KEY_LABEL, key)))}`;
}
