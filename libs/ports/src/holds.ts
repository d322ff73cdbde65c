import { type HoldableRecord, holdsOver, type PlacedHold } from '@answer-evidence/lifecycle';
import type { LeafRow, WorkspaceEntryRow } from '@answer-evidence/tables';
import type { FoundPage, LeafPage } from './leaf-page.ts';

/** The holds of a workspace that are in force. As long as `placed` is the same, nothing more is held. */
export type HoldsInForce = {
  /** How many holds were ever placed. */
  readonly placed: number;
  /** How many of them were released. */
  readonly released: number;
  /** In the order in which they were placed. */
  readonly holds: readonly PlacedHold[];
};

/** An entry about a hold with its leaf. */
type PlacedEntry = { readonly row: WorkspaceEntryRow; readonly leaf: LeafRow };

/** A hold as the log has it, with the entry that ended it. */
export type StoredHold = PlacedEntry & { readonly release: PlacedEntry | undefined };

/** A record of which it is asked whether it is held, and its place in the log. */
export type PlacedRecord = HoldableRecord & { readonly leafIndex: number };

/**
 * Reads of holds, which are entries of the log and nothing else. Each method is one consistent read. Throws
 * `ledger_unavailable`.
 */
export interface HoldStore {
  inForce(workspaceId: string): Promise<HoldsInForce>;
  /** Newest first. */
  list(
    workspaceId: string,
    status: 'in_force' | 'released' | undefined,
    page: LeafPage,
  ): Promise<FoundPage<StoredHold>>;
  find(workspaceId: string, holdId: string): Promise<StoredHold | undefined>;
  /** Those of these records that exist, in no order. */
  records(workspaceId: string, recordIds: readonly string[]): Promise<readonly PlacedRecord[]>;
  /** Records that bind an access to an asset or are linked to it, by id, beginning after one. */
  recordsOfAsset(
    workspaceId: string,
    assetId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly PlacedRecord[]>;
}

/** What is put out of the way of sweeps while it is on hold, and brought back. */
export interface HeldContents {
  /** Has these looked at again when more holds than now have been released, and not before. */
  putOnHold(workspaceId: string, ids: readonly string[], heldUntil: number): Promise<void>;
  /**
   * Has up to `limit` of those looked at again that were put on hold before so many releases; how many they were. Each
   * is due when it would have been without a hold and an extension.
   */
  takeOffHold(workspaceId: string, heldUntil: number, limit: number): Promise<number>;
}

const RECORDS_AT_ONCE = 1_000;

/** The first of these holds that covers a record which refers to the asset. */
export async function findHoldOfAsset(
  store: Pick<HoldStore, 'recordsOfAsset'>,
  workspaceId: string,
  holds: readonly PlacedHold[],
  assetId: string,
): Promise<PlacedHold | undefined> {
  if (holds.length === 0) return undefined;
  let after: string | undefined;
  for (;;) {
    const records = await store.recordsOfAsset(workspaceId, assetId, after, RECORDS_AT_ONCE);
    const [found] = holdsOver(holds, records);
    if (found !== undefined) return found;
    if (records.length < RECORDS_AT_ONCE) return undefined;
    after = records.at(-1)?.id;
  }
}
