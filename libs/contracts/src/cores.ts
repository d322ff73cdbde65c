import * as z from 'zod';
import { actor } from './actors.ts';
import { eventType } from './events.ts';
import { openObject } from './json.ts';
import { labelCores } from './labels.ts';
import { memberChange, providerLink, roleSource } from './members.ts';
import { commitmentHash, spanId, timestamp, traceId, uuid } from './primitives.ts';
import { proofLinkShows } from './proof-links.ts';
import { memberAccess } from './roles.ts';
import { settingsValues } from './settings.ts';
import { streamFormat, streamPlace } from './streams.ts';
import { role, scope } from './tokens.ts';
import { trustPolicyValues } from './trust.ts';
import { approvalAct, secondPerson } from './two-people.ts';

/**
 * Cores: what the `hash` of a ledger entry commits to. A core never changes; each has the object's `id` and a `nonce`
 * of 16 random bytes, so that nobody can guess at a core from its hash in a public log.
 */
export const commonCore = { id: uuid, nonce: z.string().regex(/^[0-9a-f]{32}$/) };

/** A SHA-256 with its prefix. */
export const sha256Text = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** A commitment as it was at creation. */
export const coreCommitment = z.strictObject({
  hash: commitmentHash,
  hash_key_id: z.string().nullable(),
  text_state: z.enum(['stored', 'discarded', 'not_submitted']),
});
export type CoreCommitment = z.infer<typeof coreCommitment>;

/**
 * Core of `answer_recorded`. Items of refs are salted hashes: one can be erased and the core still verifies. The
 * idempotency key is in it, so the log itself says which idempotency rows have to exist.
 */
export const recordCore = z.strictObject({
  ...commonCore,
  application_key: z.string(),
  environment: z.string(),
  idempotency_key: z.string().nullable(),
  question: coreCommitment,
  answer: coreCommitment,
  semantic_refs: z.array(sha256Text),
  source_refs: z.array(z.strictObject({ source_ref_id: z.string(), hash: sha256Text })),
  evidence_access_event_ids: z.array(uuid),
  ...labelCores,
  retention_until: timestamp,
  created_by: actor,
  settings_version: z.int().positive(),
});
export type RecordCore = z.infer<typeof recordCore>;

/**
 * The keys of an event's payload that have a meaning, and are therefore in the core in plain text; keys that the caller
 * did not send are absent. `payload_rest_hash` covers the rest of the payload.
 */
export const knownPayload = z.strictObject({
  reason_code: z.string().optional(),
  redact_source_ref_ids: z.array(z.string()).optional(),
  redact_semantic_refs: z.boolean().optional(),
  redact_event_ids: z.array(uuid).optional(),
  retain_until: timestamp.optional(),
});
export type KnownPayload = z.infer<typeof knownPayload>;

/**
 * Core of `lifecycle_event`. Its idempotency key is in it for the same reason as a record's. `approval` is present
 * where the workspace demanded a second person: `actor` asked for it.
 */
export const eventCore = z.strictObject({
  ...commonCore,
  answer_log_id: uuid,
  sequence: z.int().positive(),
  event_type: eventType,
  actor,
  prev_event_hash: sha256Text,
  idempotency_key: z.string().nullable(),
  settings_version: z.int().positive(),
  reason_hash: sha256Text.nullable(),
  payload: knownPayload,
  payload_rest_hash: sha256Text.nullable(),
  corrected_answer: coreCommitment.extend({ origin: z.enum(['caller', 'service']) }).nullable(),
  approval: secondPerson.optional(),
});
export type EventCore = z.infer<typeof eventCore>;

/** Core of `text_expired`: the retention that had passed, the latest of the record's own and its extensions. */
export const textExpiredCore = z.strictObject({ ...commonCore, answer_log_id: uuid, retained_until: timestamp });
export type TextExpiredCore = z.infer<typeof textExpiredCore>;

/**
 * How the commitments of an attached trace compare with the record's: `equal` for all that it stated, `not_comparable`
 * if it stated some that can no longer be compared, `absent` if it stated none.
 */
export const traceCommitments = z.enum(['equal', 'not_comparable', 'absent']);
export type TraceCommitments = z.infer<typeof traceCommitments>;

/** Which kind of OTLP item a trace was named by. */
export const traceSignal = z.enum(['span', 'log']);
export type TraceSignal = z.infer<typeof traceSignal>;

/** Core of `trace_attached`: which trace and span the sender named. `started_at` is the sender's word. */
export const traceAttachedCore = z.strictObject({
  ...commonCore,
  answer_log_id: uuid,
  signal: traceSignal,
  trace_id: traceId,
  span_id: spanId.nullable(),
  started_at: timestamp.nullable(),
  commitments: traceCommitments,
  actor,
});

/** Core of `genesis`, the first leaf: whose log this is and which key signs it. */
export const genesisCore = z.strictObject({ ...commonCore, origin: z.string(), vkey: z.string() });
export type GenesisCore = z.infer<typeof genesisCore>;

const treeHead = z.strictObject({
  origin: z.string(),
  tree_size: z.int().nonnegative(),
  root_hash: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Core of `epoch_opened`: from this leaf on the log has another name, because what was signed under the one before was
 * lost. `continued` is the tree that is there, under the name it had; `signed` the newest one that is known to have
 * been signed.
 */
export const epochCore = z.strictObject({
  ...commonCore,
  origin: z.string(),
  vkey: z.string(),
  continued: treeHead.extend({ log_id: uuid, vkey: z.string() }),
  signed: treeHead,
});
export type EpochCore = z.infer<typeof epochCore>;

const sweepCounts = z.strictObject({ due: z.int().nonnegative(), kept: z.int().nonnegative() });

/**
 * Core of `sweep_confirmed`: an operator states that the time is right and that what was due before `due_before` may be
 * erased, however much it is; `clock` is how the clock was judged until then.
 */
export const sweepConfirmedCore = z.strictObject({
  ...commonCore,
  due_before: timestamp,
  texts: sweepCounts,
  evidence: sweepCounts,
  clock: z.enum(['plausible', 'behind', 'ahead']),
  actor,
});
export type SweepConfirmedCore = z.infer<typeof sweepConfirmedCore>;

/** Core of `settings_changed`: all settings from here on. */
export const settingsCore = z.strictObject({
  ...commonCore,
  version: z.int().positive(),
  settings: settingsValues,
  actor,
});
export type SettingsCore = z.infer<typeof settingsCore>;

/** Core of `trust_policy_changed`: the whole trust policy from here on, without the secrets of its anchors. */
export const trustPolicyCore = z.strictObject({
  ...commonCore,
  version: z.int().positive(),
  policy: trustPolicyValues,
  actor,
});
export type TrustPolicyCore = z.infer<typeof trustPolicyCore>;

/**
 * Core of `ledger_key_changed`. `added`: the key also signs the checkpoints of every tree that contains this leaf.
 * `retired`: it no longer signs those of any tree that contains this leaf.
 */
export const ledgerKeyCore = z.strictObject({
  ...commonCore,
  vkey: z.string(),
  change: z.enum(['added', 'retired']),
  actor,
});
export type LedgerKeyCore = z.infer<typeof ledgerKeyCore>;

/** Core of `hash_key_changed`. `fingerprint` is SHA-256 of a label and the key's bytes. */
export const hashKeyCore = z.strictObject({
  ...commonCore,
  hash_key_id: z.string(),
  fingerprint: sha256Text,
  change: z.literal('created'),
  actor,
});
export type HashKeyCore = z.infer<typeof hashKeyCore>;

/**
 * Core of `token_issued`. `secret_hash` is SHA-256 of a user token's random secret; an application JWT has none.
 * `rotated_from` is present if it replaced another token.
 */
export const tokenIssuedCore = z.strictObject({
  ...commonCore,
  token_id: uuid,
  kind: z.enum(['user', 'application']),
  name: z.string(),
  application_key: z.string().nullable(),
  scopes: z.array(scope),
  user_id: uuid.nullable(),
  secret_hash: sha256Text.nullable(),
  expires_at: timestamp,
  rotated_from: uuid.exactOptional(),
  actor,
});
export type TokenIssuedCore = z.infer<typeof tokenIssuedCore>;

/**
 * Core of `token_revoked`. `replaced_by` is present if another token took its place, `overlap_seconds` if the token
 * stays valid that long after this entry. A second entry without either ends the overlap early.
 */
export const tokenRevokedCore = z.strictObject({
  ...commonCore,
  token_id: uuid,
  replaced_by: uuid.exactOptional(),
  overlap_seconds: z.int().positive().exactOptional(),
  actor,
});
export type TokenRevokedCore = z.infer<typeof tokenRevokedCore>;

/**
 * Core of `member_changed`: what happened, and the whole member after it, except the password, of which the log says
 * only when it was set or became void. `version` counts the entries about one member. `provider` is present while the
 * member is linked to a subject of an OpenID provider; `access` while they have another role than `role`
 * says, or limits; `role_source` while their role follows their groups at the provider.
 */
export const memberCore = z.strictObject({
  ...commonCore,
  member_id: uuid,
  username: z.string(),
  role,
  access: memberAccess.exactOptional(),
  role_source: roleSource.exactOptional(),
  created_at: timestamp,
  disabled_at: timestamp.nullable(),
  removed_at: timestamp.nullable(),
  version: z.int().positive(),
  changes: z.array(memberChange).min(1),
  provider: providerLink.exactOptional(),
  actor,
});
export type MemberCore = z.infer<typeof memberCore>;

/**
 * Core of `export_made`: which records left, in which form; `content_hash` is SHA-256 of the file.
 */
export const exportCore = z.strictObject({
  ...commonCore,
  format: z.enum(['jsonl', 'csv']),
  filters: openObject,
  records: z.int().nonnegative(),
  content_hash: sha256Text,
  /** The request for a second person that it uses up. */
  approval_id: uuid.exactOptional(),
  actor,
});
export type ExportCore = z.infer<typeof exportCore>;

/** Core of `texts_revealed`: whose texts a person asked to read, and why. `reason` stays for as long as the log. */
export const revealCore = z.strictObject({
  ...commonCore,
  answer_log_id: uuid,
  reason_code: z.string(),
  reason: z.string(),
  actor,
});
export type RevealCore = z.infer<typeof revealCore>;

/**
 * Core of `texts_revealed` where texts left by another operation than a reveal: whose texts a person was about to get,
 * by which operation, and why. One record is `answer_log_id`, more are `answer_log_ids`. The reason is null where none
 * was given.
 */
export const readingCore = z.strictObject({
  ...commonCore,
  answer_log_id: uuid.exactOptional(),
  answer_log_ids: z.array(uuid).min(2).exactOptional(),
  operation: z.string(),
  reason_code: z.string().nullable(),
  reason: z.string().nullable(),
  actor,
});
export type ReadingCore = z.infer<typeof readingCore>;
/** Core of `proof_link_made`: anyone who has the link of this id may see the record, or its commitments, until then. */
export const proofLinkCore = z.strictObject({
  ...commonCore,
  answer_log_id: uuid,
  shows: proofLinkShows,
  expires_at: timestamp,
  actor,
});
export type ProofLinkCore = z.infer<typeof proofLinkCore>;

/** Core of `proof_link_opened` and of `proof_link_revoked`: which link. */
export const proofLinkUseCore = z.strictObject({ ...commonCore, answer_log_id: uuid, proof_link_id: uuid, actor });
export type ProofLinkUseCore = z.infer<typeof proofLinkUseCore>;

/** Core of `search_opened`: that somebody searches texts for their words for a while, and why. It has no word. */
export const searchOpenedCore = z.strictObject({ ...commonCore, reason_code: z.string(), reason: z.string(), actor });
export type SearchOpenedCore = z.infer<typeof searchOpenedCore>;

/**
 * Core of `notification_target_changed`: what happened to a target of notifications, and which of its members changed.
 * Its address may be a secret; the log has its scheme, host and port.
 */
export const notificationTargetCore = z.strictObject({
  ...commonCore,
  version: z.int().positive(),
  target_id: uuid,
  name: z.string(),
  origin: z.string(),
  change: z.enum(['created', 'changed', 'secret_rotated', 'removed']),
  changed: z.array(z.enum(['name', 'url', 'event_types', 'state'])),
  actor,
});
export type NotificationTargetCore = z.infer<typeof notificationTargetCore>;

/**
 * Core of `stream_changed`: what happened to a stream of entries, and which of its members changed. What its
 * destination is reached with is a secret; the log has kind and place.
 */
export const streamCore = z.strictObject({
  ...commonCore,
  version: z.int().positive(),
  stream_id: uuid,
  name: z.string(),
  destination: streamPlace,
  format: streamFormat,
  include_reasons: z.boolean(),
  change: z.enum(['created', 'changed', 'removed']),
  changed: z.array(z.enum(['name', 'destination', 'format', 'include_reasons', 'state'])),
  actor,
});
export type StreamCore = z.infer<typeof streamCore>;

/** Core of `export_made` of an evidence pack, whose `filters` name its records. */
export const packExportCore = z.strictObject({ ...exportCore.shape, format: z.literal('pack') });
export type PackExportCore = z.infer<typeof packExportCore>;

/** How a request for a second person ended, or that one person acted alone where nobody else could have approved. */
export const approvalDecision = z.enum(['approved', 'declined', 'withdrawn', 'expired', 'alone']);
export type ApprovalDecision = z.infer<typeof approvalDecision>;

/**
 * Core of `approval_requested`: an act that a second person is to approve, until when, and why. `request_hash` is the
 * salted hash of what was asked for; the reason stays for as long as the log.
 */
export const approvalRequestedCore = z.strictObject({
  ...commonCore,
  act: approvalAct,
  answer_log_id: uuid.exactOptional(),
  member_id: uuid.exactOptional(),
  hold_id: uuid.exactOptional(),
  /** Of an export: how many records. */
  records: z.int().nonnegative().exactOptional(),
  reason: z.string(),
  request_hash: sha256Text,
  expires_at: timestamp,
  actor,
});
export type ApprovalRequestedCore = z.infer<typeof approvalRequestedCore>;

/**
 * Core of `approval_decided`: by whom, who had asked, and the entries of the act, which come before it. `approval_id`
 * is the id of the entry that asked, and is null for one person alone, who is then in both places.
 */
export const approvalDecidedCore = z.strictObject({
  ...commonCore,
  approval_id: uuid.nullable(),
  act: approvalAct,
  decision: approvalDecision,
  entry_ids: z.array(uuid),
  requested_by: actor,
  actor,
});
export type ApprovalDecidedCore = z.infer<typeof approvalDecidedCore>;
