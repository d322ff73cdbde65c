import {
  evidenceAccessedCore,
  type EvidenceAccessKind,
  evidenceExpiredCore,
  type EvidenceKind,
  evidenceLinkedCore,
  evidenceRedactedCore,
  type EvidenceState,
  type JsonObject,
} from '@answer-evidence/contracts';
import type { SaltedItem } from './record.ts';
import { bigint, bytea, integer, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** What is stored of evidence. What may have to be erased is in tables whose rows go with the only copy of a key. */

/**
 * One content: bytes in the object store under the key in this row. A workspace has at most one row per hash. The row
 * is deleted with its last `EvidenceOriginalRow`; the same bytes later become a new content under a new key.
 */
export const EVIDENCE_CONTENTS = table('evidence_contents', {
  key: ['id'],
  columns: {
    id: uuid,
    /** `sha256:…` of the plaintext. */
    content_hash: text,
    size_bytes: bigint,
    wrapped_key: bytea,
  },
});
export type EvidenceContentRow = RowOf<typeof EVIDENCE_CONTENTS>;

/** The immutable part of an asset: all that the core of its registration is made of. */
export const EVIDENCE_ASSETS = table('evidence_assets', {
  key: ['id'],
  insertOnly: true,
  columns: {
    leaf_index: bigint,
    id: uuid,
    /** Id of its `evidence_registered` entry. */
    entry_id: uuid,
    nonce: bytea,
    application_key: text,
    idempotency_key: nullable(text),
    kind: oneOf<EvidenceKind>(),
    content_type: nullable(text),
    size_bytes: nullable(bigint),
    /** JCS of the salted hashes of its details. */
    details_json: text,
    segments_root: nullable(text),
    segment_count: integer,
    retention_until: bigint,
    created_by_json: text,
    settings_version: integer,
  },
});
export type EvidenceAssetRow = RowOf<typeof EVIDENCE_ASSETS>;

/** Which content is the original of an asset; deleted when it is erased. An asset has one at most. */
export const EVIDENCE_ORIGINALS = table('evidence_originals', {
  key: ['asset_id'],
  belongsTo: { asset: 'asset_id' },
  columns: {
    asset_id: uuid,
    content_id: uuid,
  },
});

/** One segment of an asset; `hash` is salted, 32 bytes. */
export const EVIDENCE_SEGMENTS = table('evidence_segments', {
  key: ['asset_id', 'segment_index'],
  insertOnly: true,
  belongsTo: { asset: 'asset_id' },
  columns: {
    asset_id: uuid,
    segment_index: integer,
    id: uuid,
    hash: bytea,
  },
});
export type EvidenceSegmentRow = RowOf<typeof EVIDENCE_SEGMENTS>;

/**
 * The contents of a segment (`SegmentContents`), sealed under their own key in the field `segment` of the segment's id.
 * The row is deleted when the segment is erased.
 */
export const EVIDENCE_SEGMENT_CONTENTS = table('evidence_segment_contents', {
  key: ['asset_id', 'segment_index'],
  belongsTo: { asset: 'asset_id' },
  columns: {
    asset_id: uuid,
    segment_index: integer,
    wrapped_key: bytea,
    sealed: bytea,
  },
});
export type EvidenceSegmentContentRow = RowOf<typeof EVIDENCE_SEGMENT_CONTENTS>;

/** Sealed contents of a segment; `salt` in hex. `text` is null where the segment is the whole original. */
export type SegmentContents = { readonly salt: string; readonly text: string | null };

/** Sealed `AssetDetails` or `AccessDetails` under a key of their own, field `details`; deleted when erased. */
export const EVIDENCE_DETAILS = table('evidence_details', {
  key: ['object_id'],
  belongsTo: { asset: 'asset_id' },
  columns: {
    /** The asset's id or the access's. */
    object_id: uuid,
    asset_id: uuid,
    wrapped_key: bytea,
    sealed: bytea,
  },
});
export type EvidenceDetailRow = RowOf<typeof EVIDENCE_DETAILS>;

/** Name, hash, URI and attributes of an asset. After a redaction of a part it no longer has the hash of the whole. */
export type AssetDetails = {
  readonly name: SaltedItem<string> | null;
  readonly content_hash: SaltedItem<string> | null;
  readonly external_uri: SaltedItem<string> | null;
  readonly attributes: SaltedItem<JsonObject> | null;
};

/** Why something was accessed. */
export type AccessDetails = { readonly purpose: SaltedItem<string> };

/** One access. */
export const EVIDENCE_ACCESSES = table('evidence_accesses', {
  key: ['id'],
  insertOnly: true,
  belongsTo: { asset: 'asset_id' },
  leafType: 'evidence_accessed',
  core: evidenceAccessedCore,
  columns: {
    leaf_index: bigint,
    id: uuid,
    asset_id: uuid,
    nonce: bytea,
    application_key: text,
    access: oneOf<EvidenceAccessKind>(),
    /** JCS of the core's `segments`, `null` included. */
    segments_json: text,
    /** JCS of the core's `range`, `null` included. */
    range_json: text,
    source_ref_id: text,
    purpose_hash: nullable(text),
    actor_json: text,
  },
});
export type EvidenceAccessRow = RowOf<typeof EVIDENCE_ACCESSES>;

/** That a record binds an access, which its core says too; for looking up the other way round. */
export const EVIDENCE_BINDINGS = table('evidence_bindings', {
  key: ['access_id', 'record_id'],
  insertOnly: true,
  columns: {
    access_id: uuid,
    record_id: uuid,
  },
});
export type EvidenceBindingRow = RowOf<typeof EVIDENCE_BINDINGS>;

/** An asset put beside a record. */
export const EVIDENCE_LINKS = table('evidence_links', {
  key: ['record_id', 'id'],
  insertOnly: true,
  leafType: 'evidence_linked',
  core: evidenceLinkedCore,
  columns: {
    record_id: uuid,
    id: uuid,
    asset_id: uuid,
    nonce: bytea,
    actor_json: text,
  },
});
export type EvidenceLinkRow = RowOf<typeof EVIDENCE_LINKS>;

/** A redaction of an asset or of some of its segments. */
export const EVIDENCE_REDACTIONS = table('evidence_redactions', {
  key: ['asset_id', 'id'],
  insertOnly: true,
  belongsTo: { asset: 'asset_id' },
  leafType: 'evidence_redacted',
  core: evidenceRedactedCore,
  columns: {
    asset_id: uuid,
    id: uuid,
    nonce: bytea,
    record_id: uuid,
    event_id: uuid,
    /** JCS of the array of ids. */
    access_ids_json: text,
    /** JCS of the core's `segments`, `null` included. */
    segments_json: text,
  },
});
export type EvidenceRedactionRow = RowOf<typeof EVIDENCE_REDACTIONS>;

/** The expiry of an asset. */
export const EVIDENCE_EXPIRIES = table('evidence_expiries', {
  key: ['asset_id', 'id'],
  insertOnly: true,
  belongsTo: { asset: 'asset_id' },
  leafType: 'evidence_expired',
  core: evidenceExpiredCore,
  columns: {
    asset_id: uuid,
    id: uuid,
    nonce: bytea,
    retained_until: bigint,
  },
});
export type EvidenceExpiryRow = RowOf<typeof EVIDENCE_EXPIRIES>;

/** State of an asset that is no longer `available`; no row means that it is. */
export const EVIDENCE_STATES = table('evidence_states', {
  key: ['asset_id'],
  belongsTo: { asset: 'asset_id' },
  replaces: ['state'],
  columns: {
    asset_id: uuid,
    state: oneOf<EvidenceState>(),
  },
});

/**
 * The erased original of an asset, by its content; `deleted_at` is set once the bytes left the object store. Several
 * assets may share a content: its bytes go when no asset uses it, and the API names the others. No leaf covers these
 * rows, which show only how far the deletion of bytes is that nobody can read any more.
 */
export const EVIDENCE_PURGES = table('evidence_purges', {
  key: ['asset_id'],
  authenticated: true,
  belongsTo: { asset: 'asset_id' },
  columns: {
    asset_id: uuid,
    content_id: uuid,
    deleted_at: nullable(bigint),
  },
});

/**
 * When the sweep checks an asset next, which is never later than the end of its retention. The time is moved on if
 * nothing was due then.
 */
export const EVIDENCE_DUES = table('evidence_dues', {
  key: ['asset_id'],
  authenticated: true,
  belongsTo: { asset: 'asset_id' },
  columns: {
    asset_id: uuid,
    due_at: bigint,
  },
});

/** The tables whose rows belong to one asset and say something about it. */
export const OF_AN_ASSET = {
  segments: EVIDENCE_SEGMENTS,
  segmentContents: EVIDENCE_SEGMENT_CONTENTS,
  details: EVIDENCE_DETAILS,
  originals: EVIDENCE_ORIGINALS,
  accesses: EVIDENCE_ACCESSES,
  redactions: EVIDENCE_REDACTIONS,
  expiries: EVIDENCE_EXPIRIES,
  states: EVIDENCE_STATES,
  purges: EVIDENCE_PURGES,
  dues: EVIDENCE_DUES,
};
