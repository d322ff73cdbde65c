/** A key that signs application tokens, as it is stored. Times in microseconds. */
export type TokenKeyRow = {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly generation: number;
  readonly wrapped_seed: Uint8Array;
  readonly created_at: number;
  readonly signs_from: number;
};

/** The keys that sign application tokens; they belong to the installation, and none is ever changed or removed here. */
export interface TokenKeyStore {
  /** In order of generation. Throws `ledger_unavailable`. */
  list(): Promise<readonly TokenKeyRow[]>;
  /** Durable when it resolves. False: there is a key of this generation, another process was faster. */
  add(row: TokenKeyRow): Promise<boolean>;
}
