import type { RowMac } from '@answer-evidence/ledger';
import type { ContentKey } from './content-key.ts';

/** Secrets of one workspace, one derived key for each use; no method returns key bytes but `openHashKey`. */
export interface WorkspaceVault {
  readonly workspaceId: string;
  /** A fresh key for one object, to seal its parts with. */
  createObjectKey(objectId: string): ObjectKey;
  /** The same for an object all of whose contents are sealed as one. */
  createWholeKey(objectId: string): ObjectKey;
  /**
   * The key of a stored object. Throws `VaultError` when what is stored has no known form; where it was altered, at the
   * latest when something is opened.
   */
  openObjectKey(objectId: string, wrapped: Uint8Array): ObjectKey;
  /** A fresh key for one content of any size, to seal it in frames. */
  createContentKey(contentId: string): ContentKey;
  /** The key of a stored content. Throws `VaultError` when the wrapping does not authenticate. */
  openContentKey(contentId: string, wrapped: Uint8Array): ContentKey;
  /** A fresh tenant hash key: wrapped for storage, with its fingerprint (`sha256:…` over a label and the key). */
  createHashKey(keyId: string): { readonly wrapped: Uint8Array; readonly fingerprint: string };
  /** The 32 bytes of a tenant hash key. Throws `VaultError` when the wrapping does not authenticate. */
  openHashKey(keyId: string, wrapped: Uint8Array): Uint8Array;
  fingerprintOfHashKey(key: Uint8Array): string;
  /** 32 bytes under the never-rotated fingerprint key; equal requests have equal fingerprints in one workspace. */
  fingerprint(requestText: string): Uint8Array;
  /**
   * Makes the tokens of an index of words: 7 bytes for a word in a field, under a key of the workspace and this salt.
   * Not derivable from the database, and without the salt not even with the workspace's key.
   */
  createTokenizer(salt: Uint8Array): (field: string, word: string) => Uint8Array;
  /** 32 bytes that bind a row together; `label` names the table. Not derivable from the database. */
  readonly mac: RowMac;
  /**
   * A further key for the workspace's log, one of Ed25519 made where new keys are made, and one of ML-DSA-44 here: its
   * name, and what is stored under it, which is its seed, or for a key outside of this process where it is. Throws
   * `LogKeyError`.
   */
  createLedgerKey(
    nameOf: (publicKey: Uint8Array) => string,
    algorithm?: LedgerKeyAlgorithm,
  ): Promise<{ readonly name: string; readonly wrapped: Uint8Array }>;
  /**
   * The signer of a stored one, of the algorithm that it was made for. Throws `VaultError` when the wrapping does not
   * authenticate.
   */
  openLedgerKey(name: string, wrapped: Uint8Array, algorithm?: LedgerKeyAlgorithm): LedgerSigner;
  /** The workspace's first ledger key, of Ed25519. */
  readonly firstLedgerKey: LedgerSigner;
}

/** What a key of a log signs with. */
export type LedgerKeyAlgorithm = 'ed25519' | 'ml-dsa-44';

/** Signs with one key of a log. */
export type LedgerSigner = {
  /** 32 bytes of Ed25519, or 1,312 of ML-DSA-44. */
  readonly publicKey: Uint8Array;
  /**
   * The bare signature, of 64 bytes or of 2,420: at once with a key in this process, later with one outside. Throws
   * `LogKeyError` then.
   */
  sign(message: string | Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Of a key outside: asks whether it is there and the right one. Throws `LogKeyError`. */
  examine?(): Promise<void>;
};

/** The key of one object. A key seals each field once; changed content gets a new key. */
export interface ObjectKey {
  /** What is stored: with the workspace's key, and only with it, the key follows from these bytes. */
  readonly wrapped: Uint8Array;
  /** Whether all contents of the object are sealed as one, which what is stored of the key says. */
  readonly isWhole: boolean;
  /** AES-256-GCM over bytes, or over the UTF-8 of a text; the associated data names workspace, object and field. */
  seal(field: string, plaintext: string | Uint8Array): Uint8Array;
  /** The text that was sealed. Throws `VaultError` when anything was altered. */
  open(field: string, sealed: Uint8Array): string;
  /** The bytes that were sealed, in memory of their own. Throws `VaultError` when anything was altered. */
  openBytes(field: string, sealed: Uint8Array): Uint8Array;
}

/** Something sealed or wrapped did not authenticate. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}

/** Opens and makes workspaces' secrets under the installation's master key. */
export interface MasterVault {
  /** Secrets for a new workspace; both parts are stored with the workspace. */
  createWorkspaceSecrets(workspaceId: string): {
    readonly wrappedKey: Uint8Array;
    readonly wrappedLedgerSeed: Uint8Array;
  };
  /**
   * A first ledger key outside of this process, in the form of `wrappedLedgerSeed`; undefined where keys are made in
   * it. Throws `LogKeyError`.
   */
  createOutsideSeed(workspaceId: string): Promise<Uint8Array | undefined>;
  /** Throws `VaultError` when the master key is not the one that made them. */
  openWorkspace(workspaceId: string, wrappedKey: Uint8Array, wrappedLedgerSeed: Uint8Array): WorkspaceVault;
  /** Wraps a secret of the installation, such as a token signing key, bound to its label. */
  wrap(label: string, secret: Uint8Array): Uint8Array;
  /** Throws `VaultError`. */
  unwrap(label: string, wrapped: Uint8Array): Uint8Array;
  /** The password of a login of the installation's database; the same for every process under this master key. */
  readonly passwordOf: (login: string) => string;
  /** 32 bytes that bind a row of the installation together; `label` names the table. */
  readonly mac: RowMac;
}
