import type { EntryType } from '@answer-evidence/contracts';
import { bigint, bytea, integer, oneOf, type RowOf, table, text, uuid } from './table.ts';

/**
 * What is stored of a workspace's log. In all tables, times are microseconds since 1970 as safe integers, and `…_json`
 * columns hold the JCS text, never a re-serialised form.
 */

/**
 * One leaf of a workspace's log. The entry text is rebuilt from these columns and not stored, since a stored copy could
 * differ from them. An altered column shows as a leaf hash that does not match.
 */
export const LEAVES = table('ledger_leaves', {
  key: ['leaf_index'],
  insertOnly: true,
  columns: {
    leaf_index: bigint,
    type: oneOf<EntryType>(),
    id: uuid,
    subject: uuid,
    seq: bigint,
    /** SHA-256 that the entry's `hash` states, 32 bytes. */
    hash: bytea,
    at: bigint,
    /** RFC 6962 leaf hash of the entry text, 32 bytes. */
    leaf_hash: bytea,
  },
});
export type LeafRow = RowOf<typeof LEAVES>;

/**
 * One full tile of 256 hashes; only full tiles are stored, because only they never change. `root` is the hash of its
 * subtree, which is its hash one level up: a proof beyond the tile reads these 32 bytes instead of hashing 8 KiB.
 */
export const TILES = table('ledger_tiles', {
  key: ['level', 'tile_index'],
  insertOnly: true,
  columns: {
    level: integer,
    tile_index: bigint,
    root: bytea,
    hashes: bytea,
  },
});
export type TileRow = RowOf<typeof TILES>;

/** One group commit: the tree grew from `from_size` to `tree_size`. The rows of a log leave no gap. */
export const COMMITS = table('ledger_commits', {
  key: ['tree_size'],
  insertOnly: true,
  columns: {
    from_size: bigint,
    tree_size: bigint,
    root: bytea,
  },
});
export type CommitRow = RowOf<typeof COMMITS>;

/** What ledger checks keep for later ones, each text under a MAC. It may be lost: then the next check reads more. */
export const LEDGER_CHECKS = table('ledger_checks', {
  key: ['name'],
  columns: { name: text, content: text, mac: bytea },
});

/** The head of a workspace's log, one row, updated by every commit. `mac` is keyed by a secret outside the database. */
export const HEADS = table('ledger_heads', {
  key: [],
  columns: {
    tree_size: bigint,
    /** Roots of the perfect subtrees, largest first, 32 bytes each. */
    right_edge: bytea,
    last_at: bigint,
    settings_version: integer,
    mac: bytea,
  },
});
export type HeadRow = RowOf<typeof HEADS>;

/** Core of an entry about the workspace, as JCS text; `seq` is the settings' version, else 0. */
export const WORKSPACE_ENTRIES = table('workspace_entries', {
  key: ['id'],
  insertOnly: true,
  columns: {
    id: uuid,
    type: oneOf<EntryType>(),
    seq: bigint,
    core_json: text,
  },
});
export type WorkspaceEntryRow = RowOf<typeof WORKSPACE_ENTRIES>;

/** A tenant's HMAC key, wrapped. */
export const HASH_KEYS = table('hash_keys', {
  key: ['id'],
  insertOnly: true,
  columns: {
    id: text,
    wrapped_key: bytea,
  },
});
export type HashKeyRow = RowOf<typeof HASH_KEYS>;

/** A signing key that was added to a log, its seed wrapped. */
export const LEDGER_KEYS = table('ledger_keys', {
  key: ['vkey'],
  insertOnly: true,
  columns: {
    vkey: text,
    wrapped_seed: bytea,
  },
});
export type LedgerKeyRow = RowOf<typeof LEDGER_KEYS>;

/** One idempotency key that was used. `mac` binds the row together under a secret outside the database. */
export const IDEMPOTENCY = table('idempotency_keys', {
  key: ['scope', 'idempotency_key'],
  insertOnly: true,
  columns: {
    /** `record:<application key>` or `event:<record id>`. */
    scope: text,
    idempotency_key: text,
    object_id: uuid,
    fingerprint: bytea,
    mac: bytea,
  },
});
export type IdempotencyRow = RowOf<typeof IDEMPOTENCY>;
