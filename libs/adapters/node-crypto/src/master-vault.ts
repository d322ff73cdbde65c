import { createSecretKey } from 'node:crypto';
import { type MasterVault, type OutsideKeys, VaultError } from '@answer-evidence/ports';
import { deriveCipherKey, deriveKey, KEY_BYTES } from './derive-key.ts';
import { ED25519_KEY_BYTES } from './ed25519.ts';
import { createHmac } from './hmac.ts';
import { formatOutsideKey, labelOf, NO_OUTSIDE_KEYS, openStoredKey } from './outside-key.ts';
import { systemRandom } from './random.ts';
import { macOf } from './row-mac.ts';
import { seal, unseal } from './sealing.ts';
import { createWorkspaceVault } from './workspace-vault.ts';
import { installationPlace, seedPlace, workspaceKeyPlace } from './wrapped-places.ts';

/**
 * The vault under a 32-byte master key. The caller keeps the bytes; the vault keeps only keys derived from them.
 * Without `outside`, keys of logs that are outside of this process sign nothing.
 */
export function createMasterVault(masterKey: Uint8Array, outside: OutsideKeys = NO_OUTSIDE_KEYS): MasterVault {
  if (masterKey.length !== KEY_BYTES) throw new VaultError('the master key must have 32 bytes');
  const master = createSecretKey(masterKey);
  const workspaceWrapping = deriveCipherKey(master, 'wrap-workspace/v1');
  const installationWrapping = deriveCipherKey(master, 'wrap-installation/v1');
  const passwords = createHmac(deriveKey(master, 'database-logins/v1'));

  const rowMac = createHmac(deriveKey(master, 'installation-row-mac/v1'));

  function wrapFresh(associated: string, sizeBytes: number): Uint8Array {
    const secret = systemRandom.bytes(sizeBytes);
    const wrapped = seal(workspaceWrapping, associated, secret);
    secret.fill(0);
    return wrapped;
  }

  return {
    createWorkspaceSecrets: (workspaceId) => ({
      wrappedKey: wrapFresh(workspaceKeyPlace(workspaceId), KEY_BYTES),
      wrappedLedgerSeed: wrapFresh(seedPlace(workspaceId), ED25519_KEY_BYTES),
    }),
    async createOutsideSeed(workspaceId) {
      if (!outside.makesNew) return undefined;
      const key = await outside.create(labelOf(workspaceId));
      return seal(workspaceWrapping, seedPlace(workspaceId), formatOutsideKey(key));
    },
    openWorkspace(workspaceId, wrappedKey, wrappedLedgerSeed) {
      const key = unseal(workspaceWrapping, workspaceKeyPlace(workspaceId), wrappedKey);
      const first = openStoredKey(unseal(workspaceWrapping, seedPlace(workspaceId), wrappedLedgerSeed), outside);
      if (key.length !== KEY_BYTES) throw new VaultError("a workspace's secret has the wrong length");
      return createWorkspaceVault(workspaceId, key, first, outside);
    },
    wrap: (label, secret) => seal(installationWrapping, installationPlace(label), secret),
    unwrap: (label, wrapped) => unseal(installationWrapping, installationPlace(label), wrapped),
    passwordOf: (login) => Buffer.from(passwords(login)).toString('base64url'),
    mac: (label, parts) => macOf(rowMac, label, parts),
  };
}
