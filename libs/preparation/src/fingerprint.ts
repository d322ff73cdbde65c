import { commitPlain } from '@answer-evidence/commitments';
import {
  type CreateRecordRequest,
  ENVIRONMENT_DEFAULT,
  type JsonObject,
  type TextOrHash,
} from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp } from '@answer-evidence/encoding';
import { claimVersion1, formatFingerprint, type IdempotencyClaim } from '@answer-evidence/ledger';
import type { WorkspaceVault } from '@answer-evidence/ports';
import type { IdempotencyRow } from '@answer-evidence/tables';

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
 * The request that a create amounts to, for version 2: as version 1, with defaults filled in, empty lists left out and
 * the time in one form (microseconds, or null for none).
 */
export function effectiveRecord(
  { idempotency_key: _, retention_until: __, ...rest }: CreateRecordRequest,
  retentionUntil: number | null,
  digests: TextDigests,
): JsonObject {
  return withoutEmpty({
    ...(rest as JsonObject),
    environment: rest.environment ?? ENVIRONMENT_DEFAULT,
    retention_until: retentionUntil === null ? null : formatTimestamp(retentionUntil),
    question: withoutText(rest.question, digests.question),
    answer: withoutText(rest.answer, digests.answer),
  });
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
