import type { TokenKeyRow } from '@answer-evidence/tables';

/** The keys that sign application tokens; they belong to the installation, and none is ever changed or removed here. */
export interface TokenKeyStore {
  /** In order of generation. Throws `ledger_unavailable`. */
  list(): Promise<readonly TokenKeyRow[]>;
  /** Durable when it resolves. False: there is a key of this generation, another process was faster. */
  add(row: TokenKeyRow): Promise<boolean>;
}
