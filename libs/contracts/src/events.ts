import * as z from 'zod';
import { actor } from './actors.ts';
import { atLeastOneOf, openObject } from './json.ts';
import { ledgerPosition } from './ledger-entries.ts';
import { commitmentHash, isVisible, timestamp, uuid } from './primitives.ts';
import { atMost } from './text-length.ts';
import { tombstone } from './tombstones.ts';
import { secondPerson } from './two-people.ts';

/** Longest reason of an event, in UTF-16 code units. */
export const REASON_LENGTH_MAX = 4000;
/** Largest payload of an event, in UTF-8 bytes of its canonical form. */
export const PAYLOAD_BYTES_MAX = 512 * 1024;

/** Every type of lifecycle event. */
export const EVENT_TYPES = ['correction_appended', 'voided', 'redacted', 'retention_extended'] as const;
/** What a lifecycle event does to its record. */
export const eventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof eventType>;

/** Body of `POST /api/answer-audit-logs/{answer_log_id}/events`. */
export const createEventRequest = z
  .strictObject({
    event_type: eventType,
    /** An empty one says that there is none; what is not empty must say something. */
    reason: z
      .string()
      .check(atMost(REASON_LENGTH_MAX))
      .refine((text) => text === '' || isVisible(text), 'must not be blank')
      .optional(),
    payload: openObject.optional(),
    /** How many events of the record the caller has seen; if there are others by then, nothing is appended. */
    version: z.int().nonnegative().optional(),
  })
  .meta({
    if: { properties: { event_type: { const: 'correction_appended' } } },
    then: {
      properties: { payload: atLeastOneOf('corrected_answer_text', 'corrected_answer_hash') },
      required: ['payload'],
    },
  });
export type CreateEventRequest = z.infer<typeof createEventRequest>;

/** The commitment that a correction states, and whose statement it is. */
export const correctedAnswer = z.strictObject({
  hash: commitmentHash,
  hash_key_id: z.string().nullable(),
  text: z.string().nullable(),
  text_state: z.enum(['stored', 'discarded', 'not_submitted', 'redacted', 'expired']),
  origin: z.enum(['caller', 'service']),
});

/**
 * Where erased data persists: since `online_at` it is no longer in the service and its database; from `backups_until`
 * on it is no longer in the operator's backups, if they are kept as long as the setting says.
 */
export const erasure = z.strictObject({ online_at: timestamp, backups_until: timestamp });
export type Erasure = z.infer<typeof erasure>;

/**
 * What a redaction took away of one asset: the segments named, or null for everything; the original goes in every case.
 * `original` says what became of its bytes: there were `none`, they are the original of `also_held_by` too (`shared`;
 * at most 100 are named), their key is destroyed and they are being deleted (`deleting`), or they are gone from the
 * object store (`deleted`).
 */
export const redactedEvidence = z.strictObject({
  asset_id: uuid,
  /** Of the `evidence_redacted` entry. */
  entry_id: uuid,
  segment_ids: z.array(uuid).nullable(),
  original: z.enum(['none', 'shared', 'deleting', 'deleted']),
  also_held_by: z.array(uuid),
});
export type RedactedEvidence = z.infer<typeof redactedEvidence>;

/**
 * A stored lifecycle event. `reason_tombstone` and `payload_tombstone` say which redaction erased its reason and the
 * open part of its payload; left out where none did. `erasure`: of a redaction, else null. The first `prev_event_hash`
 * is the record's hash.
 */
export const lifecycleEvent = z.strictObject({
  id: uuid,
  answer_log_id: uuid,
  sequence: z.int().positive(),
  event_type: eventType,
  reason: z.string().nullable(),
  reason_tombstone: tombstone.exactOptional(),
  payload: openObject,
  payload_tombstone: tombstone.exactOptional(),
  corrected_answer: correctedAnswer.nullable(),
  idempotency_key: z.string().nullable(),
  actor,
  /** Who approved it, or that one person acted alone; left out where the workspace demanded no second person. */
  approval: secondPerson.exactOptional(),
  created_at: timestamp,
  prev_event_hash: z.string(),
  event_hash: z.string(),
  erasure: erasure.nullable(),
  redacted_evidence: z.array(redactedEvidence),
  ledger: ledgerPosition,
});
export type LifecycleEvent = z.infer<typeof lifecycleEvent>;
