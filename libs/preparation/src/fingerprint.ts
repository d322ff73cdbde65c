import { commitPlain } from '@answer-evidence/commitments';
import {
  type CreateRecordRequest,
  ENVIRONMENT_DEFAULT,
  type JsonObject,
  type RecordLabel,
  type TextOrHash,
} from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp } from '@answer-evidence/encoding';
import { claimVersion1, formatFingerprint, type IdempotencyClaim } from '@answer-evidence/ledger';
import type { WorkspaceVault } from '@answer-evidence/ports';
import type { IdempotencyRow } from '@answer-evidence/tables';
import type { CheckedFields } from './check-fields.ts';

/** The plain commitments of a request's texts: both its fingerprint and, mostly, its core need them. */
export type TextDigests = { readonly question: string | undefined; readonly answer: string | undefined };

/** Hashes the texts of a request. */
export function digestTexts({ question, answer }: CreateRecordRequest): TextDigests {
  return { question: digest(question), answer: digest(answer) };
}

function digest({ text }: TextOrHash): string | undefined {
  return text === undefined ? undefined : commitPlain(text);
}

/**
 * Version 1 of what two requests with one idempotency key are compared by: the JCS of the request as sent, without
 * defaults, generated ids and the key itself, each text replaced by its SHA-256 and a hash beside a text filled in
 * likewise. One that came with a span, or as a log record without one (null), differs from every request of its own,
 * and from those of other spans. It stays in force for what comes by OTLP and for keys used before version 2.
 */
export function fingerprintText(
  request: CreateRecordRequest,
  digests: TextDigests = digestTexts(request),
  spanId?: string | null,
): string {
  const { idempotency_key: _, ...rest } = request;
  return canonicalize({
    ...(rest as JsonObject),
    ...(spanId === undefined ? {} : { otlp_span_id: spanId }),
    question: withoutText(request.question, digests.question),
    answer: withoutText(request.answer, digests.answer),
  });
}

function withoutText({ hash }: TextOrHash, digest: string | undefined): JsonObject {
  if (digest === undefined) return hash === undefined ? {} : { hash };
  return { text: digest, hash: hash ?? digest };
}

/**
 * The JCS of the request that a create amounts to, for version 2: as version 1, with defaults filled in, empty lists
 * left out and the time in one form. Each create waits for this, so it is put together of parts that are JSON already,
 * their names in order.
 */
export function formatEffective(
  request: CreateRecordRequest,
  { semanticRefs, retentionUntil }: CheckedFields,
  digests: TextDigests,
): string {
  const { source_refs: sourceRefs = [], evidence_access_event_ids: accessIds = [] } = request;
  let text = '{';
  const add = (name: string, value: string) => {
    text += `${text.length === 1 ? '' : ','}"${name}":${value}`;
  };
  const addLabel = (label: RecordLabel) => {
    const value = request[label];
    if (value !== undefined) add(label, canonicalize(value));
  };
  addLabel('actor_id_hash');
  add('answer', canonicalize(withoutText(request.answer, digests.answer)));
  add('application_key', canonicalize(request.application_key));
  add('environment', canonicalize(request.environment ?? ENVIRONMENT_DEFAULT));
  if (accessIds.length > 0) add('evidence_access_event_ids', canonicalize(accessIds));
  addLabel('external_message_id');
  addLabel('external_trace_id');
  addLabel('mode');
  add('question', canonicalize(withoutText(request.question, digests.question)));
  if (retentionUntil !== null) add('retention_until', `"${formatTimestamp(retentionUntil)}"`);
  if (semanticRefs.length > 0) add('semantic_refs', `[${semanticRefs.map((ref) => ref.text).join(',')}]`);
  addLabel('session_id_hash');
  if (sourceRefs.length > 0) add('source_refs', canonicalize(sourceRefs));
  return `${text}}`;
}

/** The members that say something: neither null nor an empty list or object. */
export function withoutEmpty(members: JsonObject): JsonObject {
  const isEmpty = (value: JsonObject[string]) =>
    value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}

/** What an idempotency key is used for: `scope` keeps applications and kinds of objects apart. */
export type KeyUse = { readonly scope: string; readonly key: string; readonly objectId: string };

/**
 * Claims an idempotency key for a request: `effective` is the JCS of what it amounts to, `asSent` its text under
 * version 1, made only when the key was used under that version.
 */
export function claimKey(
  vault: WorkspaceVault,
  use: KeyUse,
  effective: string,
  asSent: () => string,
): IdempotencyClaim {
  const fingerprint = formatFingerprint(vault.fingerprint(`2\n${effective}`));
  return { row: keyRow(vault, use, fingerprint), fingerprintV1: () => vault.fingerprint(asSent()) };
}

/** Claims an idempotency key under version 1. */
export function claimKeyV1(vault: WorkspaceVault, use: KeyUse, asSent: string): IdempotencyClaim {
  return claimVersion1(keyRow(vault, use, vault.fingerprint(asSent)));
}

function keyRow(vault: WorkspaceVault, { scope, key, objectId }: KeyUse, fingerprint: Uint8Array): IdempotencyRow {
  const mac = vault.mac('idempotency_keys', [scope, key, objectId, fingerprint]);
  return { scope, idempotency_key: key, object_id: objectId, fingerprint, mac };
}
