import type { KnownPayload } from '@answer-evidence/contracts';
import type { DueCounter } from './due-counter.ts';
import type { HeldContents } from './holds.ts';

/** An asset that may have to expire, by its place in the order in which they are looked at. */
type DueAsset = { readonly dueAt: number; readonly assetId: string };

/** What decides how long an asset is kept. Times in microseconds. */
export type AssetHolding = {
  /** The latest of its own retention and of that of every record that binds an access to it or is linked to it. */
  readonly retentionUntil: number;
  /** Payloads of the `retention_extended` events of those records. */
  readonly extensions: readonly KnownPayload[];
  /** The number that `View.holders` gives for the asset as long as the rest is still so. */
  readonly holders: number;
  /** Whether anything is there that could be erased. */
  readonly isErasable: boolean;
};

/** What became of an asset's original. `deletedAt` (µs) is null until the bytes are gone from the object store. */
export type ErasedOriginal = {
  readonly assetId: string;
  readonly contentId: string;
  readonly deletedAt: number | null;
  /** Other assets whose original has the same bytes, oldest first. */
  readonly alsoHeldBy: readonly string[];
};

/** What a redaction of a record took away of an asset. `segmentIds` is null for everything. */
export type RedactedAsset = {
  readonly recordId: string;
  readonly eventId: string;
  readonly entryId: string;
  readonly assetId: string;
  readonly segmentIds: readonly string[] | null;
  /** Undefined when the asset had no original any more. */
  readonly original: ErasedOriginal | undefined;
};

/** Which evidence may expire, and what became of erased bytes, of one workspace. Throws `ledger_unavailable`. */
export interface EvidenceErasureStore extends DueCounter, HeldContents {
  /** Assets due before `nowMicros`, in order, after `after`. Due is only a hint; the lock of the log decides. */
  findDue(
    workspaceId: string,
    nowMicros: number,
    after: DueAsset | undefined,
    limit: number,
  ): Promise<readonly DueAsset[]>;
  /** One consistent read; undefined when there is no such asset. */
  findHolding(workspaceId: string, assetId: string): Promise<AssetHolding | undefined>;
  /** Has the asset looked at again at that time and not before. */
  postpone(workspaceId: string, assetId: string, dueAt: number): Promise<void>;
  /** Those of these assets that lost an original. */
  erasedOriginals(workspaceId: string, assetIds: readonly string[]): Promise<readonly ErasedOriginal[]>;
  /** What redactions of these records took away, record by record in the order of the log. */
  redactedWith(workspaceId: string, recordIds: readonly string[]): Promise<readonly RedactedAsset[]>;
  /** Notes that the bytes of a content are gone; a second time changes nothing. */
  noteDeleted(workspaceId: string, contentId: string, nowMicros: number): Promise<void>;
}
