import type {
  AnsweredCounts,
  EventType,
  Limits,
  MarkedFilters,
  MemberAccess,
  RecordFilters,
  RecordStatus,
  TokenStatus,
  Within,
} from '@answer-evidence/contracts';
import type { EarlierName, LogKeyRange, NodeReader } from '@answer-evidence/ledger';
import type { RunStatement } from '@answer-evidence/reconciliation';
import type {
  EventRow,
  HashKeyRow,
  HeadRow,
  LeafRow,
  RecordAttachments,
  RecordRow,
  SealedRow,
  TokenRow,
  WorkspaceEntryRow,
} from '@answer-evidence/tables';
import type { DueCounter } from './due-counter.ts';
import type { HeldContents } from './holds.ts';
import type { FoundPage } from './leaf-page.ts';
import type { LedgerKeyAlgorithm, LedgerSigner, WorkspaceVault } from './vault.ts';

/** A workspace with its secrets opened. */
export type Workspace = {
  readonly id: string;
  readonly slug: string;
  readonly displayName: string;
  readonly logId: string;
  /** Name of the log: `<host>/<slug>/<first 8 hex digits of the log id>`, fixed at genesis. */
  readonly origin: string;
  readonly vkey: string;
  readonly vault: WorkspaceVault;
};

/** The workspaces of this installation. Reads may be up to 5 s old; a workspace is never removed or renamed. */
export interface WorkspaceDirectory {
  /** Throws `not_found`, or `ledger_unavailable` for one whose row was altered. */
  get(workspaceId: string): Promise<Workspace>;
  findBySlug(slug: string): Promise<Workspace | undefined>;
  /** All but those whose rows were altered. */
  list(): Promise<readonly Workspace[]>;
}

/** Sealed contents of one object. `areTextsWithheld`: opening them gives no texts. */
export type StoredSealed = SealedRow & { readonly areTextsWithheld?: boolean };

/** A record with what belongs to it, as one consistent read. */
export type StoredRecord = {
  readonly record: RecordRow;
  readonly leaf: LeafRow;
  readonly status: RecordStatus;
  readonly sealed: StoredSealed | undefined;
  readonly events: readonly StoredEvent[];
  readonly attached: RecordAttachments;
};

/** An event with what belongs to it. */
export type StoredEvent = {
  readonly event: EventRow;
  readonly leaf: LeafRow;
  readonly sealed: StoredSealed | undefined;
};

/** What a list shows of a record. `sealed.texts` is left out: lists show no texts. */
export type ListedRecord = {
  readonly record: RecordRow;
  readonly leaf: LeafRow;
  readonly status: RecordStatus;
  readonly sealed: Pick<SealedRow, 'wrapped_key' | 'items'> | undefined;
  /** Redactions matter for what a missing text means, as expiries do; in the order of the log. */
  readonly events: readonly StoredEvent[];
  readonly attached: Pick<RecordAttachments, 'expiries' | 'traces'>;
};

/** The different values of fields of records. Records without a mode add none. */
export type RecordValues = {
  readonly applications: readonly string[];
  readonly environments: readonly string[];
  readonly modes: readonly string[];
};

/** What tells a record apart in a list, besides what it is. */
export type RecordMarks = {
  /** The kinds of events that it has. */
  readonly events: ReadonlySet<EventType>;
  /** What the newest completed run that covers it said of it; undefined where none does. */
  readonly reconciled: 'matched' | 'findings' | undefined;
};

/** Reads of records. Every method sees one workspace only, enforced by the database as well. */
export interface RecordStore {
  find(workspaceId: string, recordId: string): Promise<StoredRecord | undefined>;
  /**
   * What records have in the fields of which few values exist, each list in order; of one application, if it is named.
   * Undefined where there are too many combinations to list.
   */
  listValues(workspaceId: string, within: Limits | undefined): Promise<RecordValues | undefined>;
  /** Newest first, leaf indexes below `beforeLeaf` only, after `offset` records. */
  list(
    workspaceId: string,
    filters: MarkedFilters & Within,
    page: { readonly beforeLeaf?: number; readonly offset: number; readonly limit: number },
  ): Promise<FoundPage<ListedRecord>>;
  /** Those with these places in the log; places of no record are left out. In no order. */
  listAt(workspaceId: string, leaves: readonly number[]): Promise<readonly ListedRecord[]>;
  /** The marks of some records, as one snapshot; those that do not exist have marks of nothing. */
  marks(workspaceId: string, recordIds: readonly string[]): Promise<ReadonlyMap<string, RecordMarks>>;
  /** Imported answers by the time that is claimed for them, in never many more than a hundred parts. Microseconds. */
  countAnswered(
    workspaceId: string,
    of: {
      readonly after: number | undefined;
      readonly before: number | undefined;
      /** Of these applications; else of all. */
      readonly applications: readonly string[] | null | undefined;
    },
  ): Promise<AnsweredCounts>;
  /**
   * The oldest, oldest first, with events and texts: at most `limit`, and fewer when their contents and those of their
   * events together have more than `bytesMax`, but at least one. `matching` counts all that the filters match;
   * `nextCreatedAt` is of the first that was left out.
   */
  export(
    workspaceId: string,
    filters: RecordFilters,
    limit: number,
    bytesMax: number,
  ): Promise<{
    readonly records: readonly StoredRecord[];
    readonly matching: number;
    readonly nextCreatedAt: number | undefined;
  }>;
}

/** Sealed contents that may have to expire, by their place in the order in which they are looked at. */
export type DueContents = { readonly dueAt: number; readonly objectId: string; readonly recordId: string };

/** Which contents may have to expire. Due is only a hint: the lock of the log decides. */
export interface RetentionStore extends DueCounter, HeldContents {
  /** Contents of records and events that were due before `nowMicros`, in order, beginning after `after`. */
  findDue(
    workspaceId: string,
    nowMicros: number,
    after: Pick<DueContents, 'dueAt' | 'objectId'> | undefined,
    limit: number,
  ): Promise<readonly DueContents[]>;
  /** Has the object looked at again at that time and not before. */
  postpone(workspaceId: string, objectId: string, dueAt: number): Promise<void>;
}

/** A workspace's log as it stands, for proofs and checks. `nodes` reads perfect subtrees below `head.tree_size`. */
export type LogSnapshot = { readonly head: HeadRow; readonly root: Uint8Array; readonly nodes: NodeReader };

/** Signs trees of one log by the keys that it had at their sizes. */
export type TreeSigner = {
  /** Oldest first; the first one is that of the genesis. */
  readonly keys: readonly (LogKeyRange & Omit<LedgerSigner, 'sign'> & { readonly algorithm: LedgerKeyAlgorithm })[];
  /** How many changes of keys it knows, those under earlier names too. */
  readonly changes: number;
  /** The names that the log had before, oldest first, with their keys; nothing more is signed under these. */
  readonly earlier: readonly EarlierName[];
  /**
   * The signed checkpoint of a committed tree, for everybody to see: by all keys of its size. The same bytes whenever
   * it is signed, but those of ML-DSA-44 signatures; at once, unless a key is outside of this process. May throw.
   */
  sign(head: { readonly size: number; readonly root: Uint8Array }): string | Promise<string>;
  /**
   * The same for the receipts of one caller, by the Ed25519 keys alone: the same bytes whenever it is signed. A
   * signature of ML-DSA-44 costs as much as a small batch of records.
   */
  signReceipt(head: { readonly size: number; readonly root: Uint8Array }): string | Promise<string>;
  /** The signed note of a completed run, by the Ed25519 keys of this tree size: always the same bytes. May throw. */
  signRun(statement: RunStatement, treeSize: number): string | Promise<string>;
};

/** Reads of a log. */
export interface LogStore {
  /** The committed head with a reader of nodes; the MAC was checked. Throws `ledger_unavailable`. */
  snapshot(workspaceId: string): Promise<LogSnapshot>;
  /** The keys of the log as of now. Throws `VaultError` for a stored key that does not open. */
  signer(workspaceId: string): Promise<TreeSigner>;
  findLeaf(workspaceId: string, subject: string, id: string): Promise<LeafRow | undefined>;
  /** Every leaf below `treeSize` whose subject this is, in order. */
  leavesOf(workspaceId: string, subject: string, treeSize: number): Promise<readonly LeafRow[]>;
  /** The commit that made the leaf: the smallest one with a tree size above `leafIndex`. */
  findCommit(
    workspaceId: string,
    leafIndex: number,
  ): Promise<{ readonly from_size: number; readonly tree_size: number; readonly root: Uint8Array } | undefined>;
  /** Leaves with `from <= leaf_index < to`, ascending. */
  leaves(workspaceId: string, from: number, to: number): Promise<readonly LeafRow[]>;
  /** Hashes number `from` to below `to` of a tile level: leaf hashes at 0, above it the roots of the full tiles. */
  tileHashes(workspaceId: string, level: number, from: number, to: number): Promise<readonly Uint8Array[]>;
  /** Redactions whose leaf has `from <= leaf_index < to`, ascending. */
  redactions(
    workspaceId: string,
    from: number,
    to: number,
  ): Promise<readonly { readonly record_id: string; readonly id: string; readonly payload_json: string }[]>;
  workspaceEntries(workspaceId: string, type: string): Promise<readonly WorkspaceEntryRow[]>;
}

/** A live token with its bearer, as authentication needs it. */
export type TokenBearer = {
  readonly token: TokenRow;
  readonly workspaceId: string;
  readonly user:
    | { readonly id: string; readonly username: string; readonly access: MemberAccess; readonly disabled: boolean }
    | undefined;
};

/** A token with about when it was last used, if that is known. */
export type ListedToken = TokenRow & { readonly last_used_at: number | null };

/** The tokens of a user, and those of some applications. */
export type TokenReach = { readonly userId: string; readonly applications: readonly string[] | 'all' };

/** Which tokens: those within reach, and those that are good at a time, or no longer. */
type ListedTokens = {
  readonly reach?: TokenReach | undefined;
  readonly status?: { readonly is: TokenStatus; readonly at: number } | undefined;
};

/** Where a list of tokens goes on: after this one. */
type TokenPlace = { readonly createdAt: number; readonly id: string };

/** Reads of tokens and hash keys. */
export interface AdministrationStore {
  /** Across workspaces, by the id in the token; the caller then compares the secret and the workspace. */
  findToken(tokenId: string): Promise<TokenBearer | undefined>;
  /** Newest first. */
  listTokens(
    workspaceId: string,
    tokens: ListedTokens,
    page: { readonly after?: TokenPlace; readonly offset: number; readonly limit: number },
  ): Promise<FoundPage<ListedToken>>;
  /** One of the workspace. */
  findTokenOf(workspaceId: string, tokenId: string): Promise<ListedToken | undefined>;
  /** All that speak for a user, good or not. */
  tokensOfUser(workspaceId: string, userId: string): Promise<readonly TokenRow[]>;
  hashKeys(workspaceId: string): Promise<readonly (HashKeyRow & { readonly created_at: number })[]>;
  findHashKey(workspaceId: string, keyId: string): Promise<HashKeyRow | undefined>;
}
