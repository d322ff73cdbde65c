import {
  type CreateRecordRequest,
  findClaimedTime,
  type JsonObject,
  type JsonValue,
  OPEN_OBJECT_DEPTH_MAX,
  type ProblemError,
  REF_BYTES_MAX,
  ServiceError,
  SOURCE_REF_ID,
  TEXT_BYTES_MAX,
} from '@answer-evidence/contracts';
import { canonicalize, parseJsonText, readDateTime, utf8 } from '@answer-evidence/encoding';

/** An item of refs as its canonical text, so that it is written and measured once. */
type CheckedItem = { readonly text: string };
/** A source ref without its id; the id is null when the caller gave none. */
type CheckedSourceRef = CheckedItem & { readonly sourceRefId: string | null };

/** The parts of a create that need more than a schema. */
export type CheckedFields = {
  readonly semanticRefs: readonly CheckedItem[];
  readonly sourceRefs: readonly CheckedSourceRef[];
  /** Microseconds, or null when the caller named none. */
  readonly retentionUntil: number | null;
  /** What its refs claim of the time of its answer, in microseconds; a claim of a time that does not exist is none. */
  readonly answeredAt: number | undefined;
};

/** Checks what a schema cannot say: byte sizes, forms and uniqueness of source ref ids. Throws `schema_violation`. */
export function checkFields(request: CreateRecordRequest): CheckedFields {
  const errors: ProblemError[] = [];
  for (const field of ['question', 'answer'] as const) {
    const { text } = request[field];
    if (text !== undefined && isLongerThan(text, TEXT_BYTES_MAX))
      errors.push({ pointer: `/${field}/text`, detail: `must be at most ${TEXT_BYTES_MAX} bytes of UTF-8` });
  }
  const semanticRefs = (request.semantic_refs ?? []).map((item, n) => checkItem(item, `/semantic_refs/${n}`, errors));
  const seen = new Set<string>();
  const sourceRefs = (request.source_refs ?? []).map((ref, n): CheckedSourceRef => {
    const { source_ref_id: id, ...item } = ref;
    const pointer = `/source_refs/${n}`;
    const checked = checkItem(item, pointer, errors);
    if (id === undefined) return { ...checked, sourceRefId: null };
    if (typeof id !== 'string' || !SOURCE_REF_ID.test(id)) {
      errors.push({
        pointer: `${pointer}/source_ref_id`,
        detail: 'must be 1 to 100 characters of A-Z a-z 0-9 . _ : -',
      });
      return { ...checked, sourceRefId: null };
    }
    if (seen.has(id)) errors.push({ pointer: `${pointer}/source_ref_id`, detail: 'must be unique within the record' });
    seen.add(id);
    return { ...checked, sourceRefId: id };
  });
  const ids = request.evidence_access_event_ids ?? [];
  if (ids.length > 1 && new Set(ids).size !== ids.length)
    errors.push({ pointer: '/evidence_access_event_ids', detail: 'must not contain an access event twice' });
  const retentionUntil = time(request.retention_until, errors);
  if (errors.length > 0) throw new ServiceError('schema_violation', 'the request is invalid', { errors });
  return { semanticRefs, sourceRefs, retentionUntil, answeredAt: readClaim(request.semantic_refs) };
}

function readClaim(refs: readonly JsonObject[] = []): number | undefined {
  const claimed = refs.length === 0 ? undefined : findClaimedTime(refs);
  const read = claimed === undefined ? undefined : readDateTime(claimed);
  return read !== undefined && 'micros' in read ? read.micros : undefined;
}

/** The request without its refs, which stand in the fields as texts: to hand on a million brackets costs more. */
export function withoutRefs(request: CreateRecordRequest): CreateRecordRequest {
  const { semantic_refs: semantic, source_refs: sources, ...rest } = request;
  return { ...rest, ...(semantic && { semantic_refs: [] }), ...(sources && { source_refs: [] }) };
}

/** The request as it was before `withoutRefs`. */
export function restoreRefs(
  request: CreateRecordRequest,
  { semanticRefs, sourceRefs }: Pick<CheckedFields, 'semanticRefs' | 'sourceRefs'>,
): CreateRecordRequest {
  const read = ({ text }: CheckedItem) => parseJsonText(text) as JsonObject;
  return {
    ...request,
    ...(request.semantic_refs && { semantic_refs: semanticRefs.map(read) }),
    ...(request.source_refs && {
      source_refs: sourceRefs.map(({ text, sourceRefId }) => ({
        ...read({ text }),
        ...(sourceRefId !== null && { source_ref_id: sourceRefId }),
      })),
    }),
  };
}

/** Throws `nesting_too_deep` for an object that could not be read again inside of what it is stored in. */
export function assertDepth(item: JsonObject, pointer: string): void {
  if (isDeeperThan(item, OPEN_OBJECT_DEPTH_MAX)) {
    const detail = `must not be nested deeper than ${OPEN_OBJECT_DEPTH_MAX} levels`;
    throw new ServiceError('nesting_too_deep', detail, { errors: [{ pointer, detail }] });
  }
}

/** `levels` is one at least. Nothing is called for what holds nothing: one item may have a thousand members. */
function isDeeperThan(value: JsonObject | readonly JsonValue[], levels: number): boolean {
  const inside: readonly JsonValue[] = Array.isArray(value) ? value : Object.values<JsonValue>(value as JsonObject);
  for (const inner of inside)
    if (typeof inner === 'object' && inner !== null && (levels === 1 || isDeeperThan(inner, levels - 1))) return true;
  return false;
}

function checkItem(item: JsonObject, pointer: string, errors: ProblemError[]): CheckedItem {
  assertDepth(item, pointer);
  const text = canonicalize(item);
  if (isLongerThan(text, REF_BYTES_MAX))
    errors.push({ pointer, detail: `must be at most ${REF_BYTES_MAX} bytes in canonical form` });
  return { text };
}

function time(text: string | undefined, errors: ProblemError[]): number | null {
  if (text === undefined) return null;
  const read = readDateTime(text);
  if ('micros' in read) return read.micros;
  errors.push({ pointer: '/retention_until', detail: read.fault });
  return null;
}

/** Whether the UTF-8 form is longer; a UTF-16 code unit is at most three bytes, so most texts need no encoding. */
export function isLongerThan(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false;
  return text.length > bytes || utf8(text).length > bytes;
}
