import type { LedgerSigner } from './vault.ts';

/** A key of a log that this process does not have: where it is, and its public half (Ed25519, 32 bytes). */
export type OutsideKey = { readonly reference: string; readonly publicKey: Uint8Array };

/**
 * A service, such as an HSM, that makes keys of logs, signs with them, and never gives one out. It may be slow, and it
 * may be wrong: what it signs is verified before it is used. Calls may overlap.
 */
export interface LogKeyService {
  /** What it is, in words for people. */
  readonly name: string;
  /** A new Ed25519 key, durable when this resolves. `label` tells people which log it is of. Throws `LogKeyError`. */
  createKey(label: string): Promise<OutsideKey>;
  /** The public half of a key. Throws `LogKeyError`, also for a key that is not there or could be taken out. */
  publicKeyOf(reference: string): Promise<Uint8Array>;
  /** Ed25519 (RFC 8032, pure) over at most 4,096 bytes. Throws `LogKeyError` within a bounded time. */
  sign(reference: string, message: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Why a service of keys did not do what it was asked for, in words without a secret that say what to change. */
export class LogKeyError extends Error {
  override readonly name = 'LogKeyError';
  /** `away`: nobody responds in time, and a later try may succeed. `refused`: somebody has to change something. */
  readonly kind: 'away' | 'refused';

  constructor(kind: LogKeyError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The keys of logs that are outside of this process. */
export interface OutsideKeys {
  /** Whether new keys of logs are made outside. */
  readonly makesNew: boolean;
  /** A new key, which has signed and been verified. Throws `LogKeyError`. */
  create(label: string): Promise<OutsideKey>;
  /** Never throws: a key of a service that is not set up refuses when it is to sign. */
  signerOf(key: OutsideKey): LedgerSigner;
}
