import { concatBytes, utf8 } from '@answer-evidence/encoding';
import { type LedgerSigner, LogKeyError, type OutsideKey, type OutsideKeys, VaultError } from '@answer-evidence/ports';
import { createEd25519Signer, ED25519_KEY_BYTES } from './ed25519.ts';

/** What is sealed in place of a seed: this, the public key, and where the key is. Never as short as a seed. */
const PREFIX = utf8('answer-evidence/outside-key/v1\n');
const HEAD_BYTES = PREFIX.length + ED25519_KEY_BYTES;

/** What people see in an HSM beside a key, to tell whose it is. */
export function labelOf(workspaceId: string): string {
  return `answer-evidence ${workspaceId}`;
}

/** The bytes that are sealed for a key outside of this process. */
export function formatOutsideKey({ reference, publicKey }: OutsideKey): Uint8Array {
  return concatBytes(PREFIX, publicKey, utf8(reference));
}

/**
 * The signer of a seed, which it takes over, or of a key outside. Throws `VaultError` for anything else. A seed becomes
 * a key when that is first used, and zeros then: a process that starts has one for each workspace.
 */
export function openStoredKey(stored: Uint8Array, outside: OutsideKeys): LedgerSigner {
  if (stored.length === ED25519_KEY_BYTES) return openWhenUsed(stored);
  const isOutside = stored.length > HEAD_BYTES && PREFIX.every((byte, n) => stored[n] === byte);
  if (!isOutside) throw new VaultError('a ledger key has an unknown form');
  return outside.signerOf({
    publicKey: stored.slice(PREFIX.length, HEAD_BYTES),
    reference: readReference(stored.subarray(HEAD_BYTES)),
  });
}

function openWhenUsed(seed: Uint8Array): LedgerSigner {
  let opened: ReturnType<typeof createEd25519Signer> | undefined;
  function open() {
    if (opened !== undefined) return opened;
    opened = createEd25519Signer(seed);
    seed.fill(0);
    return opened;
  }
  return {
    get publicKey() {
      return open().publicKey;
    },
    sign: (message) => open().sign(message),
  };
}

function readReference(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new VaultError('the place of a ledger key is no text', { cause });
  }
}

/** For programs that sign nothing, such as a check of a ledger. */
export const NO_OUTSIDE_KEYS: OutsideKeys = {
  makesNew: false,
  create: () => Promise.reject(refusal()),
  signerOf: ({ publicKey }) => ({ publicKey, sign: () => Promise.reject(refusal()) }),
};

function refusal(): LogKeyError {
  return new LogKeyError('refused', 'this program does not use keys of logs that are outside of it; use the service');
}
