import type { EvidenceAccessKind, EvidenceKind, EvidenceState } from './evidence.ts';
import type { JsonObject } from './json.ts';
import type { SaltedItem } from './record-rows.ts';

/**
 * What is stored of evidence, row by row, as in `log-rows.ts`. What cannot change is insert-only; what may have to be
 * erased is in tables of its own whose rows are deleted with the only copy of their key.
 */

/**
 * One content: bytes in the object store under the key in this row, and the only row of a workspace with this hash.
 * Deleted with its last `EvidenceOriginalRow`; the same bytes later are a new content under a new key.
 */
export type EvidenceContentRow = {
  readonly id: string;
  /** `sha256:…` of the plaintext. */
  readonly content_hash: string;
  readonly size_bytes: number;
  readonly wrapped_key: Uint8Array;
};

/** The immutable part of an asset: all that the core of its registration is made of. Insert-only. */
export type EvidenceAssetRow = {
  readonly leaf_index: number;
  readonly id: string;
  /** Id of its `evidence_registered` entry. */
  readonly entry_id: string;
  readonly nonce: Uint8Array;
  readonly application_key: string;
  readonly idempotency_key: string | null;
  readonly kind: EvidenceKind;
  readonly content_type: string | null;
  readonly size_bytes: number | null;
  /** JCS of the salted hashes of its details. */
  readonly details_json: string;
  readonly segments_root: string | null;
  readonly segment_count: number;
  readonly retention_until: number;
  readonly created_by_json: string;
  readonly settings_version: number;
};

/** Which content is the original of an asset; deleted when it is erased. An asset has one at most. */
export type EvidenceOriginalRow = { readonly asset_id: string; readonly content_id: string };

/** One segment of an asset; `hash` is salted, 32 bytes. Insert-only. */
export type EvidenceSegmentRow = {
  readonly asset_id: string;
  readonly segment_index: number;
  readonly id: string;
  readonly hash: Uint8Array;
};

/** A segment sealed under its own key (`SegmentContents`, field `segment`, the segment's id); deleted when erased. */
export type EvidenceSegmentContentRow = {
  readonly asset_id: string;
  readonly segment_index: number;
  readonly wrapped_key: Uint8Array;
  readonly sealed: Uint8Array;
};

/** Sealed contents of a segment; `salt` in hex. `text` is null where the segment is the whole original. */
export type SegmentContents = { readonly salt: string; readonly text: string | null };

/** Sealed `AssetDetails` or `AccessDetails` under a key of their own, field `details`; deleted when erased. */
export type EvidenceDetailRow = {
  /** The asset's id or the access's. */
  readonly object_id: string;
  readonly asset_id: string;
  readonly wrapped_key: Uint8Array;
  readonly sealed: Uint8Array;
};

/** What an asset is called and made of; after a redaction of a part, without the hash of the whole. */
export type AssetDetails = {
  readonly name: SaltedItem<string> | null;
  readonly content_hash: SaltedItem<string> | null;
  readonly external_uri: SaltedItem<string> | null;
  readonly attributes: SaltedItem<JsonObject> | null;
};

/** Why something was accessed. */
export type AccessDetails = { readonly purpose: SaltedItem<string> };

/** One access. Insert-only. */
export type EvidenceAccessRow = {
  readonly leaf_index: number;
  readonly id: string;
  readonly asset_id: string;
  readonly nonce: Uint8Array;
  readonly application_key: string;
  readonly access: EvidenceAccessKind;
  /** JCS of the core's `segments`, `null` included. */
  readonly segments_json: string;
  /** JCS of the core's `range`, `null` included. */
  readonly range_json: string;
  readonly source_ref_id: string;
  readonly purpose_hash: string | null;
  readonly actor_json: string;
};

/** That a record binds an access, which its core says too; for looking up the other way round. Insert-only. */
export type EvidenceBindingRow = { readonly access_id: string; readonly record_id: string };

/** An asset put beside a record. Insert-only. */
export type EvidenceLinkRow = {
  readonly record_id: string;
  readonly id: string;
  readonly asset_id: string;
  readonly nonce: Uint8Array;
  readonly actor_json: string;
};

/** A redaction of an asset or of some of its segments. Insert-only. */
export type EvidenceRedactionRow = {
  readonly asset_id: string;
  readonly id: string;
  readonly nonce: Uint8Array;
  readonly record_id: string;
  readonly event_id: string;
  /** JCS of the array of ids. */
  readonly access_ids_json: string;
  /** JCS of the core's `segments`, `null` included. */
  readonly segments_json: string;
};

/** The expiry of an asset. Insert-only. */
export type EvidenceExpiryRow = {
  readonly asset_id: string;
  readonly id: string;
  readonly nonce: Uint8Array;
  readonly retained_until: number;
};

/** State of an asset that is no longer `available`; no row means that it is. */
export type EvidenceStateRow = { readonly asset_id: string; readonly state: EvidenceState };

/** The erased original of an asset, by its content; `deleted_at` is set once the bytes left the object store. */
export type EvidencePurgeRow = { readonly asset_id: string; readonly content_id: string };

/** When the sweep looks at an asset next: never later than it may be kept. Moved on when nothing is to be done then. */
export type EvidenceDueRow = { readonly asset_id: string; readonly due_at: number };
