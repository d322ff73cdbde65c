import {
  type JsonObject,
  type JsonValue,
  OPEN_OBJECT_DEPTH_MAX,
  REF_BYTES_MAX,
  REFS_MAX,
  SOURCE_REF_ID,
} from '@answer-evidence/contracts';
import { canonicalize, EncodingError } from '@answer-evidence/encoding';
import { isLongerThan } from '../item/field-forms.ts';
import { isJsonArray, isJsonObject, memberOf, readJsonText, toJson } from '../item/json-value.ts';
import type { AttributeValue } from '../item/otlp-item.ts';
import { Rejection } from '../item/rejection.ts';

/**
 * Reads `service.audit.semantic_refs` or `service.audit.source_refs`: an array of objects, structured or as a JSON
 * string, or an array of JSON strings, which is the most that many SDKs can send. Throws `Rejection`.
 */
export function readRefs(value: AttributeValue, name: string, kind: 'semantic' | 'source'): readonly JsonObject[] {
  const document = typeof value === 'string' ? readDocument(value, name) : toJson(value, name, 'exact');
  if (!isJsonArray(document)) throw new Rejection(`${name} must be an array of objects, or JSON of one`);
  if (document.length > REFS_MAX) throw new Rejection(`${name} must have at most ${REFS_MAX} items`);
  const refs = document.map((item, n): JsonObject => {
    const object = typeof item === 'string' ? readDocument(item, `item ${n} of ${name}`) : item;
    if (!isJsonObject(object)) throw new Rejection(`item ${n} of ${name} must be an object`);
    return object;
  });
  refs.forEach((ref, n) => assertRef(ref, `item ${n} of ${name}`, kind));
  if (kind === 'source') assertDistinctIds(refs, name);
  return refs;
}

function readDocument(text: string, name: string): JsonValue {
  const read = readJsonText(text, 'exact');
  if (read.kind === 'none') throw new Rejection(`${name} ${read.reason}`);
  return read.value;
}

function assertRef(ref: JsonObject, name: string, kind: 'semantic' | 'source'): void {
  if (isDeeperThan(ref, OPEN_OBJECT_DEPTH_MAX))
    throw new Rejection(`${name} must not be nested deeper than ${OPEN_OBJECT_DEPTH_MAX} levels`);
  // What a create measures is the item without its id.
  const { source_ref_id: id, ...rest } = ref;
  const text = formatCanonical(kind === 'source' ? rest : ref, name);
  if (isLongerThan(text, REF_BYTES_MAX))
    throw new Rejection(`${name} must be at most ${REF_BYTES_MAX} bytes in canonical form`);
  if (text.includes('\\u0000')) assertNoNul(ref, name);
  if (kind === 'source' && id !== undefined && (typeof id !== 'string' || !SOURCE_REF_ID.test(id)))
    throw new Rejection(`the source_ref_id of ${name} must be 1 to 100 characters of A-Z a-z 0-9 . _ : -`);
}

function formatCanonical(ref: JsonObject, name: string): string {
  try {
    return canonicalize(ref);
  } catch (error) {
    // Its messages say what is wrong and quote nothing.
    if (error instanceof EncodingError) throw new Rejection(`${name} cannot be stored: ${error.message}`);
    throw error;
  }
}

/** A backslash before `u0000` may be an escaped one, so the canonical text alone does not tell. */
function assertNoNul(value: JsonValue, name: string): void {
  if (typeof value === 'string' && value.includes('\0')) throw new Rejection(`${name} contains the character U+0000`);
  if (isJsonArray(value)) for (const item of value) assertNoNul(item, name);
  else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      assertNoNul(key, name);
      assertNoNul(member, name);
    }
  }
}

function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner: JsonValue) => isDeeperThan(inner, levels - 1));
}

function assertDistinctIds(refs: readonly JsonObject[], name: string): void {
  const ids = refs.flatMap((ref) => memberOf(ref, 'source_ref_id') ?? []);
  if (new Set(ids).size !== ids.length) throw new Rejection(`${name} contains a source_ref_id twice`);
}
