import type { EntryType } from './ledger-entries.ts';

/**
 * What is stored of a workspace's log itself, row by row, without the workspace id that every key begins with. Times
 * are microseconds since 1970 as safe integers. `…_json` columns hold the JCS text, never a re-serialised form. All
 * other `…-rows.ts` do the same.
 */

/** One leaf of a workspace's log. The entry text is rebuilt from these columns. Insert-only. */
export type LeafRow = {
  readonly leaf_index: number;
  readonly type: EntryType;
  readonly id: string;
  readonly subject: string;
  readonly seq: number;
  /** SHA-256 that the entry's `hash` states, 32 bytes. */
  readonly hash: Uint8Array;
  readonly at: number;
  /** RFC 6962 leaf hash of the entry text, 32 bytes. */
  readonly leaf_hash: Uint8Array;
};

/** One full tile of 256 hashes; `root` is the hash of its subtree, which is its hash one level up. Insert-only. */
export type TileRow = {
  readonly level: number;
  readonly tile_index: number;
  readonly root: Uint8Array;
  readonly hashes: Uint8Array;
};

/** One group commit: the tree grew from `from_size` to `tree_size`. The rows of a log leave no gap. Insert-only. */
export type CommitRow = { readonly from_size: number; readonly tree_size: number; readonly root: Uint8Array };

/** The head of a workspace's log, one row, updated by every commit. `mac` is keyed by a secret outside the database. */
export type HeadRow = {
  readonly tree_size: number;
  /** Roots of the perfect subtrees, largest first, 32 bytes each. */
  readonly right_edge: Uint8Array;
  readonly last_at: number;
  readonly settings_version: number;
  readonly mac: Uint8Array;
};

/** Core of an entry about the workspace, as JCS text; `seq` is the settings' version, else 0. Insert-only. */
export type WorkspaceEntryRow = {
  readonly id: string;
  readonly type: EntryType;
  readonly seq: number;
  readonly core_json: string;
};

/** A tenant's HMAC key, wrapped. Insert-only. */
export type HashKeyRow = { readonly id: string; readonly wrapped_key: Uint8Array };

/** A signing key that was added to a log, its seed wrapped. Insert-only. */
export type LedgerKeyRow = { readonly vkey: string; readonly wrapped_seed: Uint8Array };

/** One idempotency key that was used. `mac` binds the row together under a secret outside the database. Insert-only. */
export type IdempotencyRow = {
  /** `record:<application key>` or `event:<record id>`. */
  readonly scope: string;
  readonly idempotency_key: string;
  readonly object_id: string;
  readonly fingerprint: Uint8Array;
  readonly mac: Uint8Array;
};
