import type { EvidenceFilters, EvidenceState, Within } from '@answer-evidence/contracts';
import type {
  EvidenceAccessRow,
  EvidenceAssetRow,
  EvidenceContentRow,
  EvidenceDetailRow,
  EvidenceExpiryRow,
  EvidenceRedactionRow,
  EvidenceSegmentContentRow,
  EvidenceSegmentRow,
  LeafRow,
} from '@answer-evidence/tables';
import type { FoundPage, LeafPage } from './leaf-page.ts';

/** An asset with what belongs to it, as one consistent read. */
export type StoredAsset = {
  readonly asset: EvidenceAssetRow;
  /** Of its registration. */
  readonly leaf: LeafRow;
  readonly state: EvidenceState;
  readonly details: EvidenceDetailRow | undefined;
  /** Its original; undefined when it has none or no longer. */
  readonly content: EvidenceContentRow | undefined;
  /** When the bytes of an erased original were deleted, in microseconds; null: not yet, or there was none. */
  readonly originalDeletedAt: number | null;
  /** In the order of the log. */
  readonly redactions: readonly StoredEvidenceRedaction[];
  readonly expiries: readonly { readonly expiry: EvidenceExpiryRow; readonly leaf: LeafRow }[];
};

/** A redaction of an asset; `reasonCode` is that of the event of the record that it came from. */
type StoredEvidenceRedaction = {
  readonly redaction: EvidenceRedactionRow;
  readonly leaf: LeafRow;
  readonly reasonCode: string | null;
};

/** A segment; `contents` is undefined when they were erased. */
export type StoredSegment = {
  readonly segment: EvidenceSegmentRow;
  readonly contents: EvidenceSegmentContentRow | undefined;
};

/** An access; `details` is undefined where it has no purpose or it was erased. `boundInto` are ids of records. */
export type StoredAccess = {
  readonly access: EvidenceAccessRow;
  readonly leaf: LeafRow;
  readonly details: EvidenceDetailRow | undefined;
  readonly boundInto: readonly string[];
};

/** Reads of one workspace's evidence, enforced by the database as well. Throws `ledger_unavailable`. */
export interface EvidenceStore {
  find(workspaceId: string, assetId: string): Promise<StoredAsset | undefined>;
  /** Newest first. */
  list(workspaceId: string, filters: EvidenceFilters & Within, page: LeafPage): Promise<FoundPage<StoredAsset>>;
  /** In their order; with `ids` only those, and unknown ids are left out. */
  segments(workspaceId: string, assetId: string, ids: readonly string[] | null): Promise<readonly StoredSegment[]>;
  /** The same without their contents. */
  segmentIds(workspaceId: string, assetId: string): Promise<readonly string[]>;
  /** Newest first. */
  accesses(workspaceId: string, assetId: string, page: LeafPage): Promise<FoundPage<StoredAccess>>;
  /** The accesses that the record binds, in the order of the log. */
  boundAccesses(workspaceId: string, recordId: string): Promise<readonly StoredAccess[]>;
  /** Bytes of the asset that was made under an idempotency key; undefined where none was, or it has no original. */
  sizeUnderKey(workspaceId: string, scope: string, key: string): Promise<number | undefined>;
  /** Which of these contents there are. */
  existingContents(workspaceId: string, contentIds: readonly string[]): Promise<ReadonlySet<string>>;
}
