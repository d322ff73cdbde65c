import { type JsonObject, type JsonValue, OPEN_OBJECT_DEPTH_MAX } from '@answer-evidence/contracts';
import { JSON_DEPTH_MAX, JsonError, parseForeignJsonText, parseJsonText } from '@answer-evidence/encoding';
import { isAttributeList, isAttributeMap } from './attribute-lookup.ts';
import { parseLooseJson } from './loose-json.ts';
import type { Attribute, AttributeValue } from './otlp-item.ts';
import { Rejection } from './rejection.ts';

/**
 * `exact`: what is kept whole. What JSON cannot say, and what a create would refuse, is refused, because it would be
 * committed to as something else. `loose`: what texts are read from. What JSON cannot say becomes null, and numbers may
 * be rounded.
 */
type Manner = 'exact' | 'loose';

/** A value as JSON. `name` is how a reason names it. Throws `Rejection`. */
export function toJson(value: AttributeValue, name: string, manner: Manner): JsonValue {
  return convert(value, { name, manner }, 0);
}

type Conversion = { readonly name: string; readonly manner: Manner };

function convert(value: AttributeValue, conversion: Conversion, depth: number): JsonValue {
  if (depth > OPEN_OBJECT_DEPTH_MAX)
    throw new Rejection(`${conversion.name} is nested deeper than ${OPEN_OBJECT_DEPTH_MAX} levels`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      return refuse(conversion, 'contains a number that is not finite');
    case 'bigint':
      return refuse(conversion, 'contains an integer beyond 2^53 - 1; send it as a string');
    default:
      break;
  }
  if (value === null) return null;
  if (value instanceof Uint8Array) return refuse(conversion, 'contains bytes; send them as a string');
  if (isAttributeList(value)) return value.map((item) => convert(item, conversion, depth + 1));
  if (isAttributeMap(value)) return convertMembers(value.members, conversion, depth);
  return refuse(conversion, 'contains a value of an unknown type');
}

function refuse({ name, manner }: Conversion, reason: string): null {
  if (manner === 'exact') throw new Rejection(`${name} ${reason}`);
  return null;
}

/** Refuses a duplicate key even where only texts are read: which of the two counted would depend on their order. */
function convertMembers(members: readonly Attribute[], conversion: Conversion, depth: number): JsonObject {
  // Entries and not assignments, so that `__proto__` is a key like others.
  const seen = new Map<string, JsonValue>();
  for (const { key, value } of members) {
    if (seen.has(key)) throw new Rejection(`${conversion.name} contains an object with a key twice`);
    seen.set(key, convert(value, conversion, depth + 1));
  }
  return Object.fromEntries(seen);
}

/** The JSON document in a text, or why it is not one. */
type ReadJson =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'none'; readonly reason: string };

/** Longer documents may have pictures in them, which the native reader would make millions of values of. */
const NATIVE_LENGTH_MAX = 65_536;

/**
 * The last long text that was read. Rules of several forms look at one attribute, and each of them reads it. Nothing
 * keeps it from being collected once the item is mapped.
 */
let lastRead: WeakRef<{ readonly text: string; readonly read: ReadJson }> | undefined;

/** Reads a JSON document that an attribute holds as a string. */
export function readJsonText(text: string, manner: Manner): ReadJson {
  if (manner === 'exact') return parse(() => parseJsonText(text));
  if (text.length <= NATIVE_LENGTH_MAX) return readNatively(text, () => parseLooseJson(text));
  const last = lastRead?.deref();
  if (last?.text === text) return last.read;
  const loose = parseLooseJson(text);
  const read: ReadJson = loose === undefined ? readNatively(text) : { kind: 'json', value: loose };
  lastRead = new WeakRef({ text, read });
  return read;
}

/** Reads with the native reader, and otherwise as it is said. */
function readNatively(text: string, orElse?: () => JsonValue | undefined): ReadJson {
  return parse(() => parseForeignJsonText(text, JSON_DEPTH_MAX), orElse);
}

function parse(read: () => JsonValue, orElse: () => JsonValue | undefined = () => undefined): ReadJson {
  try {
    return { kind: 'json', value: read() };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const value = orElse();
    if (value !== undefined) return { kind: 'json', value };
    const isMalformed = error.code === 'malformed';
    const reason = isMalformed
      ? "is not JSON; the SDK's attribute length limit may have truncated it"
      : `is JSON that cannot be stored: ${error.message}`;
    return { kind: 'none', reason };
  }
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A member of an object, by own key. */
export function memberOf(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
