import * as z from 'zod';
import { actor } from './actors.ts';
import { erasure } from './events.ts';
import { atLeastOneOf, openObject } from './json.ts';
import { ledgerPosition } from './ledger-entries.ts';
import { pageOf } from './pages.ts';
import {
  anyUuid,
  CONTROL_RANGES,
  dateTime,
  DIRECTION_RANGES,
  HIDES_RULE,
  hidesCharacters,
  isVisible,
  key,
  OPEN_VALUES,
  sha256Hash,
  timestamp,
  uuid,
} from './primitives.ts';
import { problemError } from './problems.ts';
import { atMost } from './text-length.ts';
import { tombstone } from './tombstones.ts';

/** Longest name of an asset, in UTF-16 code units. */
export const EVIDENCE_NAME_LENGTH_MAX = 255;
/** Longest URI of an external reference, in UTF-16 code units. */
export const EVIDENCE_URI_LENGTH_MAX = 2048;
/** Largest attributes of an asset, in UTF-8 bytes of their canonical form. */
export const EVIDENCE_ATTRIBUTES_BYTES_MAX = 16 * 1024;
/** Most segments of one asset. */
export const EVIDENCE_SEGMENTS_MAX = 2_000;
/** Largest text that is split into segments, and largest sum of a caller's own segments, in UTF-8 bytes. */
export const EVIDENCE_SEGMENTED_BYTES_MAX = 2 * 1024 * 1024;
/** Largest body of a create in JSON: its base64 or its segments, with what stands around them. */
export const EVIDENCE_BODY_BYTES_MAX = 8 * 1024 * 1024;
/** Longest purpose of an access, in UTF-16 code units. */
export const EVIDENCE_PURPOSE_LENGTH_MAX = 1000;
/** Most segments that one retrieval names. */
export const RETRIEVED_SEGMENTS_MAX = 200;
/** Largest segment that a retrieval includes; a larger one is only announced, and the original can be downloaded. */
export const RETRIEVED_SEGMENT_BYTES_MAX = 2 * 1024 * 1024;

/** Control characters, separators of lines, and those that change the direction of what stands around them. */
const SAFE_NAME = new RegExp(String.raw`^[^${CONTROL_RANGES}\u2028\u2029${DIRECTION_RANGES}/\\]+$`);

/** A name for people: one path segment at most, without control and bidirectional characters. */
export const evidenceName = z
  .string()
  .min(1, 'must not be empty')
  .check(atMost(EVIDENCE_NAME_LENGTH_MAX))
  .regex(SAFE_NAME, { error: 'must not contain control or bidirectional characters, "/" or "\\"', abort: true })
  .refine((name) => !hidesCharacters(name), { error: HIDES_RULE, abort: true })
  .refine((name) => isVisible(name) && name !== '.' && name !== '..', 'must not be blank');

const MEDIA_TYPE =
  /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,62}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,62}( *; *charset="?[A-Za-z0-9-]{1,40}"?)?$/;
const mediaType = z.string().regex(MEDIA_TYPE, 'must be a media type, with no parameter but charset');

const ownSegment = z.string().min(1, 'must not be empty');

const metadataFields = {
  application_key: key.optional(),
  name: evidenceName.optional(),
  content_type: mediaType.optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
    .toLowerCase()
    .optional(),
  segments: z
    .array(ownSegment)
    .min(1, 'must not be empty')
    .max(EVIDENCE_SEGMENTS_MAX, `must have at most ${EVIDENCE_SEGMENTS_MAX} items`)
    .optional(),
  attributes: openObject.optional(),
};

/** The part `metadata` of an upload. */
export const evidenceMetadata = z.strictObject(metadataFields);
export type EvidenceMetadata = z.infer<typeof evidenceMetadata>;

/** Where the content of an asset may be; it is in one of these at least. */
const CONTENTS = ['content_base64', 'segments', 'external_uri'] as const;

/** Body of a create in JSON: content in base64, or segments, or the URI of something that lies elsewhere. */
export const createEvidenceRequest = z
  .strictObject({
    ...metadataFields,
    content_base64: z.string().optional(),
    external_uri: z.string().min(1, 'must not be empty').check(atMost(EVIDENCE_URI_LENGTH_MAX)).optional(),
  })
  .refine(
    (value) => CONTENTS.some((name) => value[name] !== undefined),
    'must have content_base64, segments or external_uri',
  )
  .refine(
    (value) => value.content_base64 === undefined || value.external_uri === undefined,
    'must have either content_base64 or external_uri, not both',
  )
  .meta({ ...atLeastOneOf(...CONTENTS), not: { required: ['content_base64', 'external_uri'] } });
export type CreateEvidenceRequest = z.infer<typeof createEvidenceRequest>;

/** What an asset is. */
export const evidenceKind = z.enum(['file', 'media', 'reference']);
export type EvidenceKind = z.infer<typeof evidenceKind>;

/** What became of an asset; `redacted` also when only a part of it was, since its original is then gone. */
export const evidenceState = z.enum(['available', 'redacted', 'expired']);
export type EvidenceState = z.infer<typeof evidenceState>;

/**
 * An evidence asset. `content_hash` is the plain SHA-256 of the original, for a reference as the caller stated it; it
 * goes with a redaction, like the name and the rest that could tell what was there, while `evidence_hash` and
 * `segments_root` stay. `original` says whether there are bytes to download; those of an erased one are unreadable at
 * once, and gone from the object store at `original_deleted_at`, which is null until then, also while other assets have
 * the same bytes. `erasure` is about the last redaction or expiry, null before one.
 */
export const evidenceAsset = z.strictObject({
  id: uuid,
  application_key: z.string(),
  idempotency_key: z.string().nullable(),
  name: z.string().nullable(),
  kind: evidenceKind,
  content_type: z.string().nullable(),
  size_bytes: z.int().nonnegative().nullable(),
  content_hash: z.string().nullable(),
  segment_count: z.int().nonnegative(),
  segments_root: z.string().nullable(),
  external_uri: z.string().nullable(),
  attributes: openObject,
  state: evidenceState,
  original: z.enum(['stored', 'none', 'erased']),
  original_deleted_at: timestamp.nullable(),
  retention_until: timestamp,
  created_at: timestamp,
  created_by: actor,
  evidence_hash: z.string(),
  erasure: erasure.nullable(),
  ledger: ledgerPosition,
});
export type EvidenceAsset = z.infer<typeof evidenceAsset>;

/** `GET /api/evidence-assets`, newest first. */
export const evidenceAssetList = pageOf(evidenceAsset);

/** An asset in the response to its creation. `warnings`: what was kept otherwise than stated, such as the type. */
export const createdEvidenceAsset = evidenceAsset.extend({ warnings: z.array(problemError).optional() });
export type CreatedEvidenceAsset = z.infer<typeof createdEvidenceAsset>;

/** Query of `GET /api/evidence-assets` without paging. */
export const evidenceFilters = z.strictObject({
  application_key: key.optional(),
  kind: evidenceKind.optional(),
  state: evidenceState.optional(),
  content_type: z.string().min(1).check(atMost(127)).optional(),
  /** Of originals that are stored. */
  content_hash: sha256Hash.optional(),
  /** Linked to this record, or accessed for it. */
  answer_log_id: anyUuid.optional(),
  created_after: dateTime.optional(),
  created_before: dateTime.optional(),
});
export type EvidenceFilters = z.infer<typeof evidenceFilters>;

const purpose = z
  .string()
  .refine(isVisible, 'must not be empty')
  .check(atMost(EVIDENCE_PURPOSE_LENGTH_MAX))
  .meta({ minLength: 1 });

/** Body of `POST …/retrieve`: which segments (left out: all) and what for. */
export const retrieveEvidenceRequest = z.strictObject({
  segment_ids: z
    .array(anyUuid)
    .min(1, 'must not be empty')
    .max(RETRIEVED_SEGMENTS_MAX, `must have at most ${RETRIEVED_SEGMENTS_MAX} items`)
    .optional(),
  purpose: purpose.optional(),
});
export type RetrieveEvidenceRequest = z.infer<typeof retrieveEvidenceRequest>;

/** Part of an original: `length` bytes from `offset` on. */
export const evidenceRange = z.strictObject({ offset: z.int().nonnegative(), length: z.int().positive() });
export type EvidenceRange = z.infer<typeof evidenceRange>;

/** Body of `POST …/download`. */
export const downloadEvidenceRequest = z.strictObject({ range: evidenceRange.optional(), purpose: purpose.optional() });
export type DownloadEvidenceRequest = z.infer<typeof downloadEvidenceRequest>;

const segmentFields = { segment_id: uuid, index: z.int().nonnegative(), hash: z.string() };

/**
 * A segment as a retrieval returns it: its text, its bytes, a tombstone if it was erased, or a mark that it is too
 * large and must be downloaded. `salt` opens `hash`, and accompanies disclosed contents.
 */
export const retrievedSegment = z.union([
  z.strictObject({ ...segmentFields, salt: z.string(), text: z.string() }),
  z.strictObject({ ...segmentFields, salt: z.string(), content_base64: z.string() }),
  z.strictObject({ ...segmentFields, salt: z.string(), omitted: z.literal('too_large') }),
  z.strictObject({ ...segmentFields, tombstone }),
]);
export type RetrievedSegment = z.infer<typeof retrievedSegment>;

/**
 * What a retrieval returns. Put `source_ref` into the `source_refs` of the create, and `access_event_id` into its
 * `evidence_access_event_ids`.
 */
export const retrievedEvidence = z.strictObject({
  source_ref: openObject,
  access_event_id: uuid,
  segments: z.array(retrievedSegment),
  ledger: ledgerPosition,
});
export type RetrievedEvidence = z.infer<typeof retrievedEvidence>;

/** How an asset was accessed. */
export const evidenceAccessKind = z.enum(['retrieve', 'download']).meta(OPEN_VALUES);
export type EvidenceAccessKind = z.infer<typeof evidenceAccessKind>;

/** One access: who, when, why, to which segments (null: all), and the answers that it was bound into. */
export const evidenceAccess = z.strictObject({
  id: uuid,
  asset_id: uuid,
  access: evidenceAccessKind,
  segment_ids: z.array(uuid).nullable(),
  range: evidenceRange.nullable(),
  source_ref_id: z.string(),
  purpose: z.string().nullable(),
  actor,
  created_at: timestamp,
  bound_into: z.array(uuid),
  ledger: ledgerPosition,
});
export type EvidenceAccess = z.infer<typeof evidenceAccess>;

/** `GET /api/evidence-assets/{asset_id}/accesses`, newest first. */
export const evidenceAccessList = pageOf(evidenceAccess);
