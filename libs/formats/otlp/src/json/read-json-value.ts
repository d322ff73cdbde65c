import { type JsonObject, type JsonValue, parseBase64, readOr } from '@answer-evidence/encoding';
import type { Attribute, AttributeValue } from '@answer-evidence/otlp-mapping';
import type { Intake } from '../intake.ts';
import { asList, asObject, parseInteger, readText } from './fields.ts';

type ReadMember = (value: JsonValue, intake: Intake, depth: number) => AttributeValue;

/** How each of the fields that an AnyValue may have is read. */
const MEMBERS: ReadonlyMap<string, ReadMember> = new Map<string, ReadMember>([
  ['stringValue', readString],
  ['boolValue', readBool],
  ['intValue', readInt],
  ['doubleValue', readDouble],
  ['arrayValue', readArray],
  ['kvlistValue', readMap],
  ['bytesValue', readBytes],
]);

/** An `AnyValue` in JSON. Recursion ends at `depthMax`; what is deeper is not looked at. */
export function readJsonValue(value: JsonValue | undefined, intake: Intake, depth: number): AttributeValue {
  if (value === undefined) return null;
  if (depth > intake.limits.depthMax) {
    intake.rejectDepth();
    return null;
  }
  if (value === null) return null;
  const fields = asObject(value);
  if (fields === undefined) {
    intake.reject('a value must be an object such as {"stringValue": "…"}');
    return null;
  }
  let found: AttributeValue = null;
  let count = 0;
  for (const name of Object.keys(fields)) {
    const member = fields[name];
    const read = MEMBERS.get(name);
    if (read === undefined || member === undefined || member === null) continue;
    if (++count > 1) intake.reject('a value must have exactly one of stringValue, boolValue, intValue and so on');
    found = read(member, intake, depth);
  }
  return found;
}

/** A list of `KeyValue`s, up to so many as there may be. */
export function readJsonAttributes(fields: JsonObject, intake: Intake): readonly Attribute[] {
  const list = asList(fields['attributes']);
  if (list === undefined) intake.reject('attributes must be an array of objects with key and value');
  const attributes = readKeyValues(list ?? [], intake, 1, intake.limits.attributesMax);
  if (attributes.length < (list?.length ?? 0)) intake.rejectAttributes();
  return attributes;
}

function readKeyValues(list: readonly JsonValue[], intake: Intake, depth: number, countMax = Infinity): Attribute[] {
  const attributes: Attribute[] = [];
  for (const item of list) {
    if (attributes.length >= countMax) break;
    intake.countValue();
    const fields = asObject(item);
    if (fields === undefined) intake.reject('attributes and members of maps must be objects with key and value');
    const key = fields === undefined ? '' : readText(fields, 'key', intake);
    attributes.push({ key, value: readJsonValue(fields?.['value'], intake, depth) });
  }
  return attributes;
}

function readString(value: JsonValue, intake: Intake): AttributeValue {
  if (typeof value === 'string') return value;
  return refuse('stringValue must be a string', intake);
}

function readBool(value: JsonValue, intake: Intake): AttributeValue {
  return typeof value === 'boolean' ? value : refuse('boolValue must be true or false', intake);
}

const INT64_MIN = -(1n << 63n);
const INT64_MAX = (1n << 63n) - 1n;

function readInt(value: JsonValue, intake: Intake): AttributeValue {
  // -0 is a number of JSON and no integer's.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
  const integer = parseInteger(value);
  if (integer === undefined || integer < INT64_MIN || integer > INT64_MAX) {
    return refuse('intValue must be a 64-bit integer, as a string of digits or a number', intake);
  }
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

/** What a double may be as text (proto3 JSON), besides its number. */
const SPECIAL_DOUBLES: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

function readDouble(value: JsonValue, intake: Intake): AttributeValue {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string') {
    const special = SPECIAL_DOUBLES.get(value);
    if (special !== undefined) return special;
    const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : Infinity;
    if (Number.isFinite(number)) return number;
  }
  return refuse('doubleValue must be a number, or "NaN", "Infinity" or "-Infinity"', intake);
}

function readArray(value: JsonValue, intake: Intake, depth: number): AttributeValue {
  const list = listIn(value);
  if (list === undefined) return refuse('arrayValue must be an object with an array of values', intake);
  return list.map((item) => {
    intake.countValue();
    return readJsonValue(item, intake, depth + 1);
  });
}

function readMap(value: JsonValue, intake: Intake, depth: number): AttributeValue {
  const list = listIn(value);
  if (list === undefined) return refuse('kvlistValue must be an object with an array of values', intake);
  return { members: readKeyValues(list, intake, depth + 1) };
}

/** The `values` of an ArrayValue or KeyValueList. Also accepts a bare array, as in the specification's own example. */
function listIn(value: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return asList(value);
  const fields = asObject(value);
  return fields === undefined ? undefined : asList(fields['values']);
}

function readBytes(value: JsonValue, intake: Intake): AttributeValue {
  const bytes = typeof value === 'string' ? parseAnyBase64(value) : undefined;
  if (bytes === undefined) return refuse('bytesValue must be base64', intake);
  return bytes;
}

/** Base64 of either alphabet, with padding or without (proto3 JSON); undefined for anything else. */
function parseAnyBase64(text: string): Uint8Array | undefined {
  const standard = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  return readOr(() => parseBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '=')), undefined);
}

function refuse(reason: string, intake: Intake): null {
  intake.reject(reason);
  return null;
}
