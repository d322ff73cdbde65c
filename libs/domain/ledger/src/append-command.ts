import type {
  Actor,
  EntryType,
  RecordStatus,
  ServiceError,
  SettingsValues,
  StoredApprovalState,
} from '@answer-evidence/contracts';
import type { ListedRecord, Rows, TableName, TraceAttachmentRow } from '@answer-evidence/tables';
import type { MemberChangeSeen, MemberState } from './members.ts';

/** The settings of a workspace, and which version of them these are. */
export type VersionedSettings = {
  readonly version: number;
  readonly values: SettingsValues;
  readonly updatedAt: number;
};

/** A new row of a table. */
export type Insert<Name extends TableName = TableName> = {
  readonly [One in Name]: { readonly kind: 'insert'; readonly table: One; readonly row: Rows[One] };
}[Name];

/** A row that takes the place of the one of its key, if there is one, in the columns that its table lets change. */
export type Replace = {
  readonly [One in ReplacedTable]: { readonly kind: 'replace'; readonly table: One; readonly row: Rows[One] };
}[ReplacedTable];

type ReplacedTable =
  | 'anchor_secrets'
  | 'approvals'
  | 'evidence_states'
  | 'member_credentials'
  | 'members'
  | 'notification_states'
  | 'notification_targets'
  | 'provider_links'
  | 'record_states'
  | 'stream_states'
  | 'streams';

/** What the database is told to do besides adding a leaf. Each is idempotent by its key within the workspace. */
export type Write =
  | Insert
  | Replace
  /** Deletes what is sealed of an object, and with it the only copy of its key and what follows from it. */
  | { readonly kind: 'erase_sealed'; readonly objectId: string }
  | EvidenceErasure
  | {
      readonly kind: 'revoke_token';
      readonly tokenId: string;
      readonly at: number;
      /** Until when it stays good all the same; null: not at all. */
      readonly overlapUntil: number | null;
    }
  | { readonly kind: 'cut_token'; readonly tokenId: string; readonly at: number }
  | { readonly kind: 'drop_credential' | 'drop_provider_link'; readonly memberId: string }
  /** The run that was decided with this entry is completed. */
  | { readonly kind: 'complete_run'; readonly runId: string; readonly entryId: string };

/**
 * Deletes the keys of an asset: the link to its original, segments and sealed details. It precedes all inserts of the
 * transaction, so that the remaining parts can be sealed again.
 */
export type EvidenceErasure = {
  readonly kind: 'erase_evidence';
  readonly assetId: string;
  /** Indexes of segments; null: all. */
  readonly segments: readonly number[] | null;
  /** Whose details go: the asset itself, or accesses of it; null: of the asset and of every access. */
  readonly detailsOf: readonly string[] | null;
  /** The content that goes with it, because no other asset refers to it; null: it stays, or there was none. */
  readonly contentId: string | null;
};

/** A new leaf before it has a place: what it is about and the hash of its core. */
export type NewEntry = {
  readonly type: EntryType;
  readonly id: string;
  readonly subject: string;
  readonly seq: number;
  readonly hash: Uint8Array;
};

/** What a command must know of the database before it can decide. */
export type StateQuery = {
  /** An idempotency key that may have been used. */
  readonly idempotency?: { readonly scope: string; readonly key: string };
  /** A call, as hex, that a record may have been made of. */
  readonly call?: string | undefined;
  /** A record whose status and last event matter. */
  readonly recordId?: string;
  /** A trace that may already be attached to a record. */
  readonly trace?: TracePlace;
  /** A token that may already be revoked. */
  readonly tokenId?: string;
  /** A name that a token which is not revoked may have. */
  readonly tokenName?: string;
  /** Series of workspace entries whose newest `seq` matters. */
  readonly series?: EntryType | readonly EntryType[];
  /** All members, also removed ones, with their credentials and live tokens. */
  readonly members?: true;
  /** A request for a second person whose state matters, and how many are open. */
  readonly approvalId?: string;
  /** Since when changes of members matter, in microseconds. */
  readonly memberChangesSince?: number;
  /** Since when exports matter, in microseconds. */
  readonly exportsSince?: number;
  /** `sha256:…` of bytes that may be stored already. */
  readonly contentHash?: string;
  /** Assets whose application, original and erasures matter. */
  readonly assetIds?: readonly string[];
  /** Accesses that a record is to bind. */
  readonly accessIds?: readonly string[];
  /** Assets of which it matters what holds them. */
  readonly holdersOf?: string | readonly string[];
};

/** Where a trace is attached: a record, and what tells traces of one record apart. */
export type TracePlace = Pick<TraceAttachmentRow, 'record_id' | 'trace_id' | 'span_id'>;

/** What is known of a token. `goodUntil`: it is revoked and good until then all the same. Times in microseconds. */
export type TokenState = { readonly revoked: boolean; readonly goodUntil?: number | undefined };

/** An export: by whom, of how many records with their texts, when in microseconds, and whether somebody approved it. */
export type ExportSeen = {
  readonly actor: Actor;
  readonly records: number;
  readonly at: number;
  readonly isApproved: boolean;
};

/** Who has a token name: of the tokens that are not revoked the one that expires last. */
export type NameHolder = { readonly tokenId: string; readonly expiresAt: number };

/** A record as the log has it so far. `lastHash` is the last event's hash, or the record's own. */
export type RecordState = {
  readonly listed: ListedRecord;
  readonly status: RecordStatus;
  readonly sequence: number;
  readonly lastHash: string;
  /** How often its contents have expired. */
  readonly expiries: number;
};

/** A content that is stored. `references`: of how many assets it is the original. */
export type ContentState = { readonly id: string; readonly hash: string; readonly references: number };

/** An asset in the log so far. `contentId`: its original, null without one; `erasures`: redactions and expiries. */
export type AssetState = {
  readonly applicationKey: string;
  readonly contentId: string | null;
  readonly erasures: number;
};

/** An access. `erased`: something that was accessed has been redacted or has expired since. */
export type AccessState = {
  readonly assetId: string;
  readonly applicationKey: string;
  /** Indexes; null: the original, or all segments. */
  readonly segments: readonly number[] | null;
  readonly erased: boolean;
};

/** The workspace's state in which a command decides: the database under the head lock, and earlier commands. */
export type LogState = {
  readonly settings: { readonly version: number };
  /** Place and time of the next leaf; the command's n-th entry gets `leafIndex + n` and `at + n` microseconds. */
  readonly leafIndex: number;
  readonly at: number;
  findIdempotency(
    scope: string,
    key: string,
  ): { readonly objectId: string; readonly fingerprint: Uint8Array } | undefined;
  /** The record that was made of a call. */
  findCall(call: string): string | undefined;
  findRecord(recordId: string): RecordState | undefined;
  /** The id under which the trace is attached, if it is. */
  findTrace(place: TracePlace): string | undefined;
  findToken(tokenId: string): TokenState | undefined;
  findTokenName(name: string): NameHolder | undefined;
  /** How many tokens are neither revoked nor expired; known where a token name is read. */
  liveTokens(): number;
  /** The newest `seq` of a series of workspace entries that the command reads; 0 when there is none. */
  lastOf(series: EntryType): number;
  /** The content with these bytes, as far as the command reads it. */
  findContentByHash(hash: string): ContentState | undefined;
  /** The content of an asset that the command reads. */
  findContent(contentId: string): ContentState | undefined;
  findAsset(assetId: string): AssetState | undefined;
  findAccess(accessId: string): AccessState | undefined;
  /**
   * The number of bindings and links of an asset that the command reads, and of extensions of the records behind them.
   * While this number is the same, so is the end of the asset's retention.
   */
  holders(assetId: string): number;
  /** All members, also removed ones, ordered by id; empty unless the command reads them. */
  members(): readonly MemberState[];
  /** What became of a request for a second person that the command reads. */
  findApproval(approvalId: string): StoredApprovalState | undefined;
  /** How many of these requests are open; known where one is read. */
  openApprovals(): number;
  /** The changes of members since the earliest time that a command of the batch reads them from, and maybe more. */
  memberChanges(): readonly MemberChangeSeen[];
  /** The exports since the earliest time that a command of the batch reads them from, and maybe more. */
  exports(): readonly ExportSeen[];
};

/** What a command makes of the view. `reprepare`: it was prepared for a state that is no longer there. */
export type Decision =
  | { readonly kind: 'append'; readonly entries: readonly NewEntry[]; readonly writes: readonly Write[] }
  | { readonly kind: 'replay'; readonly objectId: string }
  | { readonly kind: 'refuse'; readonly error: ServiceError }
  | { readonly kind: 'reprepare' };

/**
 * One request to the log, prepared outside of the lock. `decide` is pure and may be called again with another view.
 * `settingsVersion` names the settings it was prepared under, null when none matter to it. `entryIds` are the ids of
 * the entries that it may append, by which an append whose outcome was lost is found again; empty when it can only
 * refuse.
 */
export type AppendCommand = {
  readonly subject: string;
  readonly entryIds: readonly string[];
  readonly settingsVersion: number | null;
  readonly reads: StateQuery;
  /** About how many bytes it makes the database write. */
  readonly sizeBytes: number;
  decide(view: LogState): Decision;
};

/** A command that refuses what it was prepared for and appends nothing; an earlier request's outcome comes first. */
export type RefusedCommand = AppendCommand & { readonly refusal: ServiceError };

/** One appended leaf with its place and the inclusion proof at the batch's tree size. */
export type AppendedEntry = {
  readonly type: EntryType;
  readonly id: string;
  readonly leafIndex: number;
  readonly at: number;
  readonly hash: Uint8Array;
  readonly leafHash: Uint8Array;
  /** Exact text of the leaf. */
  readonly entry: string;
  readonly proof: readonly Uint8Array[];
};

/** What one command appended, in the order of its entries. */
export type AppendedEntries = readonly [AppendedEntry, ...AppendedEntry[]];
