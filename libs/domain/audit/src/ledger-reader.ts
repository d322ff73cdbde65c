import type { HoldableRecord } from '@answer-evidence/lifecycle';
import type {
  CommitRow,
  CredentialRow,
  EvidenceContentRow,
  HashKeyRow,
  HeadRow,
  IdempotencyRow,
  LeafRow,
  LedgerKeyRow,
  MemberRow,
  OF_A_RECORD,
  ProviderLinkRow,
  RowsOf,
  RunFindingRow,
  RunReferenceRow,
  RunRow,
  RunStateRow,
  SealedRow,
  TileRow,
  TokenRow,
  WorkspaceEntryRow,
  WorkspaceRow,
} from '@answer-evidence/tables';
import type { EvidenceRows } from './evidence-rows.ts';

/**
 * The stored rows that belong to one range of leaves: all rows of records whose `answer_recorded` leaf is in the range,
 * wherever in the log their own leaves are, and the members below.
 */
export type LedgerRows = RowsOf<typeof OF_A_RECORD> & {
  /** Leaves with `from <= leaf_index < to`, ascending. The rest hangs on them. */
  readonly leaves: readonly LeafRow[];
  /** Leaves of the whole log whose `subject` is the id of an `answer_recorded` leaf of the range. */
  readonly subjectLeaves: readonly LeafRow[];
  /** Whose `object_id` is the id of such a leaf, or of one of `subjectLeaves`. */
  readonly sealed: readonly SealedRow[];
  /** Whose scope and key are those of one of `records` or `events`. */
  readonly idempotency: readonly IdempotencyRow[];
};

/** Leaves in the order of the log, and the entries of the workspace among them. */
export type WorkspaceRows = {
  /** Those of entries of the workspace, and the last leaf of the batch, ascending. */
  readonly leaves: readonly LeafRow[];
  /** Whose `id` is the id of any leaf of the batch, whatever its type. */
  readonly workspaceEntries: readonly WorkspaceEntryRow[];
};

/**
 * A stored row that hangs on no leaf, so that no run of leaves can name it: a record, a status, an event, an expiry or
 * an attached trace of a record without an `answer_recorded` leaf; contents whose object is neither such a leaf nor one
 * whose subject is such a record; an idempotency key whose scope and key no record or event has; a workspace entry
 * without a leaf; a `lifecycle_event`, `trace_attached`, `evidence_linked` or `text_expired` leaf whose subject has no
 * `answer_recorded` leaf; a row of a reconciliation that is not there.
 */
export type OrphanRow = {
  /** The noun of its table, or another word for what it is. */
  readonly kind: string;
  /** The row's id, or for a status its record's, for contents their object's, for an idempotency key its object's. */
  readonly id: string;
};

/** A run with how far it has come; undefined when it has no such row. */
export type StoredReconciliation = {
  readonly run: RunRow;
  readonly state: RunStateRow | undefined;
  readonly isMacValid: boolean;
};

/** Kinds of attestation rows: about the log as a whole, so under no leaf but under MACs and a stored. */
export const ATTESTATION_KINDS = ['checkpoints', 'cosignatures', 'anchors', 'attempts'] as const;
/** One such kind. */
export type AttestationKind = (typeof ATTESTATION_KINDS)[number];

/** One row that vouches for the log. */
export type Attestation = { readonly kind: AttestationKind; readonly name: string; readonly isMacValid: boolean };

/** The workspace's own row, as it is stored now. */
type StoredWorkspaceRow = Pick<WorkspaceRow, 'slug' | 'created_at'> & { readonly isMacValid: boolean };

/** A row that its table keeps under a MAC, and whose MAC is missing or wrong. */
type ForgedRow = { readonly table: string; readonly id: string };

/** How many of each kind there must be. */
export type AttestationCounts = {
  readonly counts: Readonly<Record<AttestationKind, number>>;
  readonly isMacValid: boolean;
};

/** What was sealed, as the JSON value that was sealed; null where the column is null. */
export type OpenedContents = { readonly texts: unknown; readonly items: unknown };

/** The log itself and its names. */
export interface LogReader {
  readonly workspaceId: string;
  readonly logId: string;
  readonly origin: string;
  /** The key that the genesis must name. */
  readonly vkey: string;
  /** Undefined when the workspace has none. */
  head(): Promise<HeadRow | undefined>;
  /** Every leaf from `from` on, which is 0 unless it is said, ascending by `leaf_index`. */
  leaves(from?: number): AsyncIterable<readonly LeafRow[]>;
  /** Every commit that ends beyond this size, ascending by `tree_size`. */
  commits(beyond?: number): AsyncIterable<readonly CommitRow[]>;
  /**
   * The entries of the workspace in the order of the log, in batches that together hold the whole log; of the leaves
   * before `from` only those of such entries.
   */
  workspaceRows(from?: number): AsyncIterable<WorkspaceRows>;
  /** Every tile from the first one of its level on, ascending by `level`, then `tile_index`. */
  tiles(firstTile: (level: number) => number): AsyncIterable<readonly TileRow[]>;
  /** Whether the MAC is the one that the secret outside of the database makes for this row. */
  isHeadMacValid(row: HeadRow): boolean | Promise<boolean>;
}

/** The leaves with `from <= leaf_index < to`. */
export type LeafRange = { readonly from: number; readonly to: number };

/** What hangs on the leaves of a range, wherever its own leaves are. */
export interface LeafRangeReader {
  /** The leaves within a range, in ranges whose rows together are of bounded size but for those of a single leaf. */
  ranges(within: LeafRange): AsyncIterable<LeafRange>;
  /** Ranges of leaves before this size that are about what a leaf from it on is about as well. */
  rangesSpokenOf(since: number): AsyncIterable<LeafRange>;
  /** The rows that belong to the leaves with `from <= leaf_index < to`. */
  rowsOf(from: number, to: number): Promise<LedgerRows>;
  /** The rows about evidence that belong to the leaves with `from <= leaf_index < to`. */
  evidenceOf(from: number, to: number): Promise<EvidenceRows>;
  /** Whether a leaf from `since` on is about a record or an asset whose first leaf is in the range. */
  isAboutRange(range: LeafRange, since: number): Promise<boolean>;
  isIdempotencyMacValid(row: IdempotencyRow, macBytes: number): boolean | Promise<boolean>;
}

/** Opens what is sealed of records and their events. */
export interface ContentReader {
  /** Unwraps the object's key and opens both columns. Throws when anything does not authenticate. */
  openSealed(row: SealedRow): Promise<OpenedContents>;
  /** The key of one object's keyed commitments, from the tenant's hash key and the object's 32-byte salt. */
  recordKey(hashKeyId: string, salt: Uint8Array): Promise<Uint8Array>;
}

/** Opens what is sealed of evidence. */
export interface EvidenceContentReader {
  /** Whether the key of a content opens; the bytes are in the object store and are not read. */
  opensContent(row: EvidenceContentRow): boolean | Promise<boolean>;
  /** Opens a sealed field of an object of evidence as JSON. Throws when anything does not authenticate. */
  openEvidence(objectId: string, wrappedKey: Uint8Array, field: string, sealed: Uint8Array): Promise<unknown>;
}

/** What a range of leaves is checked by. */
export interface RangeReader extends LeafRangeReader, ContentReader, EvidenceContentReader {}

/** Tokens by the times at which they were made and ended: there may be many. */
export interface TokenReader {
  /** Tokens with `from <= created_at < to`, in microseconds. */
  tokensCreated(from: number, to: number): Promise<readonly TokenRow[]>;
  /** Tokens with `from <= revoked_at < to`, in microseconds. */
  tokensRevoked(from: number, to: number): Promise<readonly TokenRow[]>;
}

/** The keys of the tenant and of the log. A workspace has few. */
export interface KeyReader {
  /** All hash keys; a workspace has few. */
  hashKeys(): Promise<readonly HashKeyRow[]>;
  /** `sha256:…` over a label and the unwrapped key, as in the core of `hash_key_changed`. */
  fingerprintOf(row: HashKeyRow): Promise<string>;
  /** All keys that were added to the log. */
  ledgerKeys(): Promise<readonly LedgerKeyRow[]>;
  /** The public key of a stored one. Throws when it does not open. */
  publicKeyOf(row: LedgerKeyRow): Uint8Array | Promise<Uint8Array>;
}

/** The members and how they sign in. */
export interface MemberReader {
  /** All members, also removed ones. */
  members(): Promise<readonly MemberRow[]>;
  credentials(): Promise<readonly CredentialRow[]>;
  providerLinks(): Promise<readonly ProviderLinkRow[]>;
  isCredentialMacValid(row: CredentialRow): boolean | Promise<boolean>;
  isProviderLinkMacValid(row: ProviderLinkRow): boolean | Promise<boolean>;
}

/** Reconciliations with what they compared and found. */
export interface ReconciliationReader {
  reconciliations(): AsyncIterable<readonly StoredReconciliation[]>;
  /** The references of a run, by their places. */
  referencesOf(runId: string): Promise<readonly RunReferenceRow[]>;
  /** The lines of the record set of a run, in its order. Throws when a record or a leaf of it is gone. */
  recordLinesOf(runId: string): AsyncIterable<string>;
  /** The findings of a run, by their places. */
  findingsOf(runId: string): AsyncIterable<readonly RunFindingRow[]>;
}

/** Something that was erased by an entry of the log: of a record, or of an asset. */
export type StoredErasure = {
  /** What erased it, by its kind and id. */
  readonly object: string;
  readonly leafIndex: number;
  readonly of: { readonly record: HoldableRecord } | { readonly assetId: string };
};

/** Contents of a record or of one of its events that were put out of the way of sweeps, and until when. */
export type ContentsOnHold = { readonly objectId: string; readonly dueAt: number; readonly record: HoldableRecord };

/** What was erased and what is kept, for the comparison with holds. */
export interface HoldReader {
  /**
   * What was erased after a leaf, in the order of the log. Left out are redactions that were made again after a
   * restore, with their evidence: no hold was there when they were made first.
   */
  erasuresAfter(leafIndex: number): AsyncIterable<readonly StoredErasure[]>;
  /** Every content that is on hold. */
  contentsOnHold(): AsyncIterable<readonly ContentsOnHold[]>;
  /** The records that referred to an asset before a leaf, by a bound access or a link. */
  recordsReferringTo(assetId: string, beforeLeaf: number): AsyncIterable<readonly HoldableRecord[]>;
}

/** Rows that no leaf names: those that belong to none, and those that MACs cover instead. */
export interface LooseRowReader {
  /** Undefined when the workspace has no row. */
  workspaceRow(): Promise<StoredWorkspaceRow | undefined>;
  /** Every row of an authenticated table whose MAC does not hold. */
  forgedRows(): AsyncIterable<readonly ForgedRow[]>;
  orphans(): AsyncIterable<readonly OrphanRow[]>;
  attestations(): AsyncIterable<readonly Attestation[]>;
  /** Undefined when nothing has vouched for the log yet. */
  attestationCounts(): Promise<AttestationCounts | undefined>;
}

/**
 * Everything that is stored of one workspace, in pieces of bounded size. All methods read one and the same state (one
 * repeatable-read transaction), and none of them fixes, skips or completes what it reads. Batches of an iteration may
 * be of any size. A row that cannot be read makes the method throw, which the check reports.
 */
export interface LedgerReader
  extends
    LogReader,
    RangeReader,
    TokenReader,
    KeyReader,
    MemberReader,
    ReconciliationReader,
    HoldReader,
    LooseRowReader {}
