import * as z from 'zod';
import {
  anyUuid,
  type CreateEventRequest,
  type JsonObject,
  type JsonValue,
  PAYLOAD_BYTES_MAX,
  type ProblemError,
  REFS_MAX,
  ServiceError,
  sha256Hash,
  TEXT_BYTES_MAX,
  TIME_RULE,
} from '@answer-evidence/contracts';
import { canonicalize, readDateTime } from '@answer-evidence/encoding';
import { assertDepth, isLongerThan } from '@answer-evidence/preparation';

/** An event's payload, told apart into what means something for its type and the rest. */
export type EventPayload = {
  readonly reasonCode: string | null;
  readonly redactSourceRefIds: readonly string[] | null;
  readonly redactSemanticRefs: boolean | null;
  /** In lower case, as often and in the order as they were sent. */
  readonly redactEventIds: readonly string[] | null;
  /** Microseconds. */
  readonly retainUntil: number | null;
  readonly correctedHash: string | null;
  readonly correctedText: string | null;
  readonly rest: JsonObject | null;
};

/** The value in its form, or a sentence that says what it must be. */
type Read<T> = { readonly value: T } | { readonly fault: string };

/** Reads an event's payload; known keys must have their form. Throws `schema_violation` with all faults. */
export function parseEventPayload(request: CreateEventRequest): EventPayload {
  const payload = request.payload ?? {};
  assertDepth(payload, '/payload');
  const errors: ProblemError[] = [];
  const rest: Record<string, JsonValue> = { ...payload };
  function take<T>(key: string, read: (value: JsonValue) => Read<T>): T | null {
    const value = payload[key];
    if (value === undefined || !Object.hasOwn(payload, key)) return null;
    delete rest[key];
    const taken = read(value);
    if ('value' in taken) return taken.value;
    errors.push({ pointer: `/payload/${key}`, detail: taken.fault });
    return null;
  }
  const isCorrection = request.event_type === 'correction_appended';
  const isRedaction = request.event_type === 'redacted';
  const parsed: Omit<EventPayload, 'rest'> = {
    reasonCode: take('reason_code', readReasonCode),
    redactSourceRefIds: isRedaction ? take('redact_source_ref_ids', readIds) : null,
    redactSemanticRefs: isRedaction ? take('redact_semantic_refs', readBoolean) : null,
    redactEventIds: isRedaction ? take('redact_event_ids', readUuids) : null,
    retainUntil: request.event_type === 'retention_extended' ? take('retain_until', readTime) : null,
    correctedHash: isCorrection ? take('corrected_answer_hash', readHash) : null,
    correctedText: isCorrection ? take('corrected_answer_text', readText) : null,
  };
  if (isLongerThan(canonicalize(rest), PAYLOAD_BYTES_MAX))
    errors.push({ pointer: '/payload', detail: `must be at most ${PAYLOAD_BYTES_MAX} bytes in canonical form` });
  if (errors.length > 0) throw new ServiceError('schema_violation', 'the request is invalid', { errors });
  return { ...parsed, rest: Object.keys(rest).length === 0 ? null : rest };
}

function readReasonCode(value: JsonValue): Read<string> {
  if (typeof value === 'string' && value.length <= 200) return { value };
  return { fault: 'must be a string of at most 200 characters' };
}

function readIds(value: JsonValue): Read<readonly string[]> {
  const isList = Array.isArray(value) && value.length <= REFS_MAX && value.every((id) => typeof id === 'string');
  if (!isList) return { fault: `must be an array of at most ${REFS_MAX} strings` };
  return { value: [...new Set(value as readonly string[])] };
}

const uuids = z.array(anyUuid).max(REFS_MAX);

function readUuids(value: JsonValue): Read<readonly string[]> {
  const { data } = uuids.safeParse(value);
  return data === undefined ? { fault: `must be an array of at most ${REFS_MAX} UUIDs` } : { value: data };
}

function readBoolean(value: JsonValue): Read<boolean> {
  return typeof value === 'boolean' ? { value } : { fault: 'must be true or false' };
}

function readTime(value: JsonValue): Read<number> {
  if (typeof value !== 'string') return { fault: TIME_RULE };
  const read = readDateTime(value);
  return 'micros' in read ? { value: read.micros } : read;
}

function readHash(value: JsonValue): Read<string> {
  const parsed = sha256Hash.safeParse(value);
  return parsed.success ? { value: parsed.data } : { fault: 'must be "sha256:" and 64 hex digits' };
}

function readText(value: JsonValue): Read<string> {
  if (typeof value === 'string' && !isLongerThan(value, TEXT_BYTES_MAX)) return { value };
  return { fault: `must be a string of at most ${TEXT_BYTES_MAX} bytes of UTF-8` };
}
