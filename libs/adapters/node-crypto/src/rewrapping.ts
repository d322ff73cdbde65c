import { createSecretKey } from 'node:crypto';
import { deriveCipherKey } from './derive-key.ts';
import { seal, unseal } from './sealing.ts';
import { installationPlace, seedPlace, workspaceKeyPlace } from './wrapped-places.ts';

/** Wraps secrets under another master key. Every method throws `VaultError` when the first one did not wrap them. */
export type Rewrapping = {
  workspace(
    workspaceId: string,
    wrappedKey: Uint8Array,
    wrappedLedgerSeed: Uint8Array,
  ): { readonly wrappedKey: Uint8Array; readonly wrappedLedgerSeed: Uint8Array };
  installation(label: string, wrapped: Uint8Array): Uint8Array;
};

/** What one master key has wrapped, wrapped by another; the secrets themselves stay what they are. */
export function createRewrapping(from: Uint8Array, to: Uint8Array): Rewrapping {
  const [old, fresh] = [createSecretKey(from), createSecretKey(to)];
  function rewrap(use: 'wrap-workspace/v1' | 'wrap-installation/v1') {
    const [opening, closing] = [deriveCipherKey(old, use), deriveCipherKey(fresh, use)];
    return (place: string, wrapped: Uint8Array): Uint8Array => {
      const secret = unseal(opening, place, wrapped);
      const rewrapped = seal(closing, place, secret);
      secret.fill(0);
      return rewrapped;
    };
  }
  const workspace = rewrap('wrap-workspace/v1');
  const installation = rewrap('wrap-installation/v1');
  return {
    workspace: (workspaceId, wrappedKey, wrappedLedgerSeed) => ({
      wrappedKey: workspace(workspaceKeyPlace(workspaceId), wrappedKey),
      wrappedLedgerSeed: workspace(seedPlace(workspaceId), wrappedLedgerSeed),
    }),
    installation: (label, wrapped) => installation(installationPlace(label), wrapped),
  };
}
