import { commitPlain } from '@answer-evidence/commitments';
import {
  type CreateRecordRequest,
  ENVIRONMENT_DEFAULT,
  type JsonObject,
  mapLabels,
  type RecordLabel,
  type TextOrHash,
} from '@answer-evidence/contracts';
import { canonicalize, formatTimestamp } from '@answer-evidence/encoding';
import { claimVersion1, formatFingerprint, type IdempotencyClaim, shortenFingerprint } from '@answer-evidence/ledger';
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
  const members: Readonly<Record<string, JsonObject[string] | undefined>> = {
    ...(request as JsonObject),
    otlp_span_id: spanId,
  };
  let text = '';
  for (const name of SENT_IN_ORDER) {
    const value = members[name];
    if (value === undefined) continue;
    const isText = name === 'question' || name === 'answer';
    const written = isText ? formatWithoutText(request[name], digests[name]) : canonicalize(value);
    text += `${text === '' ? '' : ','}"${name}":${written}`;
  }
  return `{${text}}`;
}

/** The JCS of a text's hash in the place of the text, beside the hash. A digest needs no escaping. */
function formatWithoutText({ hash }: TextOrHash, digest: string | undefined): string {
  if (digest === undefined) return hash === undefined ? '{}' : `{"hash":${canonicalize(hash)}}`;
  return `{"hash":${hash === undefined ? `"${digest}"` : canonicalize(hash)},"text":"${digest}"}`;
}

/** What a create amounts to: the request, what was made of it, and the hashes of its texts. */
type Effective = CheckedFields & { readonly request: CreateRecordRequest; readonly digests: TextDigests };

/** The JCS of each member; undefined where it says nothing. One that is forgotten does not compile. */
const MEMBERS: Readonly<
  Record<Exclude<keyof CreateRecordRequest, 'idempotency_key'>, (of: Effective) => string | undefined>
> = {
  ...mapLabels((label: RecordLabel) => ({ request }: Effective) => {
    const value = request[label];
    return value === undefined ? undefined : canonicalize(value);
  }),
  application_key: ({ request }) => canonicalize(request.application_key),
  environment: ({ request }) => canonicalize(request.environment ?? ENVIRONMENT_DEFAULT),
  question: ({ request, digests }) => formatWithoutText(request.question, digests.question),
  answer: ({ request, digests }) => formatWithoutText(request.answer, digests.answer),
  retention_until: ({ retentionUntil }) =>
    retentionUntil === null ? undefined : `"${formatTimestamp(retentionUntil)}"`,
  semantic_refs: ({ semanticRefs }) =>
    semanticRefs.length === 0 ? undefined : `[${semanticRefs.map((ref) => ref.text).join(',')}]`,
  source_refs: ({ request, sourceRefs }) => formatSourceRefs(request.source_refs, sourceRefs),
  evidence_access_event_ids: ({ request }) => formatList(request.evidence_access_event_ids),
};

// JCS sorts names by UTF-16 code units, as JavaScript compares them (RFC 8785, section 3.2.3).
const MEMBERS_IN_ORDER = Object.entries(MEMBERS).sort(([one], [other]) => (one < other ? -1 : 1));
const SENT_IN_ORDER = [...Object.keys(MEMBERS), 'otlp_span_id'].sort();

function formatList(values: readonly unknown[] = []): string | undefined {
  return values.length === 0 ? undefined : canonicalize(values as JsonObject[string]);
}

/** One without an id of its own stands as a text already. */
function formatSourceRefs(refs: readonly JsonObject[] = [], checked: CheckedFields['sourceRefs']): string | undefined {
  if (refs.length === 0) return undefined;
  const texts = refs.map((ref, n) => {
    const known = checked[n];
    return known === undefined || known.sourceRefId !== null ? canonicalize(ref) : known.text;
  });
  return `[${texts.join(',')}]`;
}

/**
 * The JCS of the request that a create amounts to, for version 2: as version 1, with defaults filled in, empty lists
 * left out and the time in one form. Each create waits for this, so it is put together of parts that are JSON already.
 */
export function formatEffective(request: CreateRecordRequest, fields: CheckedFields, digests: TextDigests): string {
  const effective = { ...fields, request, digests };
  let text = '';
  for (const [name, format] of MEMBERS_IN_ORDER) {
    const value = format(effective);
    if (value !== undefined) text += `${text === '' ? '' : ','}"${name}":${value}`;
  }
  return `{${text}}`;
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

/** The same for the key of a record, which keeps less of the fingerprint. */
export function claimRecordKey(
  vault: WorkspaceVault,
  use: KeyUse,
  effective: string,
  asSent: () => string,
): IdempotencyClaim {
  const fingerprint = shortenFingerprint(formatFingerprint(vault.fingerprint(`2\n${effective}`)));
  return { row: keyRow(vault, use, fingerprint), fingerprintV1: () => vault.fingerprint(asSent()) };
}

/** Claims the idempotency key of a record under version 1. */
export function claimKeyV1(vault: WorkspaceVault, use: KeyUse, asSent: string): IdempotencyClaim {
  return claimVersion1(keyRow(vault, use, shortenFingerprint(vault.fingerprint(asSent))));
}

function keyRow(vault: WorkspaceVault, { scope, key, objectId }: KeyUse, fingerprint: Uint8Array): IdempotencyRow {
  const mac = vault.mac('idempotency_keys', [scope, key, objectId, fingerprint]);
  return { scope, idempotency_key: key, object_id: objectId, fingerprint, mac };
}
