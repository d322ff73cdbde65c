import * as z from 'zod';
import { actor } from './actors.ts';
import { evidenceKind, evidenceRange } from './evidence.ts';
import { timestamp, uuid } from './primitives.ts';

/** Cores of the entries about evidence. What may have to be erased stands in them as salted hashes only. */
const common = { id: uuid, nonce: z.string().regex(/^[0-9a-f]{32}$/) };
const sha256Text = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** Salted hashes of an asset's name and description, null where nothing was given; hashed like items. */
export const evidenceDetailHashes = z.strictObject({
  name: sha256Text.nullable(),
  content_hash: sha256Text.nullable(),
  external_uri: sha256Text.nullable(),
  attributes: sha256Text.nullable(),
});
export type EvidenceDetailHashes = z.infer<typeof evidenceDetailHashes>;

/**
 * Core of `evidence_registered`. `segments_root` is the root of the Merkle tree over the salted hashes of its segments,
 * null without any. Of the original the log has the size, and its SHA-256 only as a salted hash: beside all other
 * segments, a plain one would let anyone who has them guess at a short one that was redacted.
 */
export const evidenceRegisteredCore = z.strictObject({
  ...common,
  asset_id: uuid,
  application_key: z.string(),
  idempotency_key: z.string().nullable(),
  kind: evidenceKind,
  content_type: z.string().nullable(),
  size_bytes: z.int().nonnegative().nullable(),
  details: evidenceDetailHashes,
  segments_root: sha256Text.nullable(),
  segment_count: z.int().nonnegative(),
  retention_until: timestamp,
  created_by: actor,
  settings_version: z.int().positive(),
});
export type EvidenceRegisteredCore = z.infer<typeof evidenceRegisteredCore>;

/**
 * Core of `evidence_accessed`. `segments` are the indexes of the requested segments, null for all. `source_ref_id` is
 * the id that the access issued for the source ref of an answer. `purpose` is a salted hash.
 */
export const evidenceAccessedCore = z.strictObject({
  ...common,
  asset_id: uuid,
  application_key: z.string(),
  access: z.enum(['retrieve', 'download']),
  segments: z.array(z.int().nonnegative()).nullable(),
  range: evidenceRange.nullable(),
  source_ref_id: z.string(),
  purpose: sha256Text.nullable(),
  actor,
});
export type EvidenceAccessedCore = z.infer<typeof evidenceAccessedCore>;

/** Core of `evidence_linked`: the asset was put beside the record. */
export const evidenceLinkedCore = z.strictObject({ ...common, answer_log_id: uuid, asset_id: uuid, actor });

/**
 * Core of `evidence_redacted`. `event_id` is the redaction of the record, `access_event_ids` are the accesses bound
 * into it by which the asset was found, and `segments` the indexes of what is gone, null for all. The original is gone
 * in every case.
 */
export const evidenceRedactedCore = z.strictObject({
  ...common,
  asset_id: uuid,
  answer_log_id: uuid,
  event_id: uuid,
  access_event_ids: z.array(uuid),
  segments: z.array(z.int().nonnegative()).nullable(),
});
export type EvidenceRedactedCore = z.infer<typeof evidenceRedactedCore>;

/** Core of `evidence_expired`: the retention that had passed, the latest of the asset and the records that use it. */
export const evidenceExpiredCore = z.strictObject({ ...common, asset_id: uuid, retained_until: timestamp });
export type EvidenceExpiredCore = z.infer<typeof evidenceExpiredCore>;
