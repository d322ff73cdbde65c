import type { JsonObject, JsonValue } from '@answer-evidence/encoding';
import type { Intake } from '../intake.ts';
import type { IdField } from '../item-ids.ts';

/** The object, or undefined for anything else. */
export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The items of a repeated field, which may be absent or null; undefined when it is no array. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
}

/** A field of text; empty when absent. Rejects what is being read when it is anything else, or too long. */
export function readText(fields: JsonObject, name: string, intake: Intake): string {
  const value = fields[name];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return checkText(value, 'a key or name', intake);
  intake.reject(`${name} must be a string`);
  return '';
}

/** The text; rejects what is being read when it is too long. */
export function checkText(text: string, what: string, intake: Intake): string {
  const { textMaxBytes } = intake.limits;
  if (text.length * 3 > textMaxBytes && sizeOf(text) > textMaxBytes) intake.rejectText(what);
  return text;
}

/** An enum's number, 0 when absent. OTLP does not take the names of enums. */
export function readEnum(fields: JsonObject, name: string, intake: Intake): number {
  const value = fields[name];
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value === (value | 0)) return value;
  intake.reject(`${name} must be the number of the enum's value`);
  return 0;
}

const UINT64_MAX = (1n << 64n) - 1n;

/** A time in nanoseconds, as string or number; 0 when absent. */
export function readNanos(fields: JsonObject, name: string, intake: Intake): bigint {
  const value = fields[name];
  if (value === undefined || value === null) return 0n;
  const nanos = parseInteger(value);
  if (nanos !== undefined && nanos >= 0n && nanos <= UINT64_MAX) return nanos;
  intake.reject(`${name} must be nanoseconds since 1970, as a string of digits or a number`);
  return 0n;
}

/** A whole number in digits or as a number; undefined for anything else. */
export function parseInteger(value: JsonValue): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

/** A hexadecimal id in lower case; null when absent, all zero or of wrong length. Rejects other text. */
export function readId(fields: JsonObject, name: string, field: IdField, intake: Intake): string | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') {
    intake.reject(`${name} must be a string of hexadecimal digits`);
    return null;
  }
  if (!/^[0-9a-fA-F]*$/.test(value)) {
    intake.reject(describeBadText(value.length, name, field));
    return null;
  }
  return value.length === 2 * field.sizeBytes && !/^0*$/.test(value) ? value.toLowerCase() : null;
}

/** How many bytes the hexadecimal text of an id has; 0 when there is none. */
export function sizeOfId(fields: JsonObject, name: string): number {
  const value = fields[name];
  return typeof value === 'string' ? value.length / 2 : 0;
}

function describeBadText(length: number, name: string, { sizeBytes }: IdField): string {
  const unpadded = Math.ceil((sizeBytes * 4) / 3);
  const isBase64 = length === unpadded || length === 4 * Math.ceil(sizeBytes / 3);
  const cause = isBase64 ? ': it looks like base64, which OTLP/JSON does not use for ids' : '';
  return `${name} must be ${2 * sizeBytes} hexadecimal digits${cause}`;
}

/** Bytes of UTF-8; an unpaired surrogate counts as what it is replaced by. */
function sizeOf(text: string): number {
  let size = text.length;
  for (let n = 0; n < text.length; n++) {
    const unit = text.charCodeAt(n);
    if (unit < 0x80) continue;
    size += unit < 0x800 || isHalfOfPair(text, n, unit) ? 1 : 2;
  }
  return size;
}

function isHalfOfPair(text: string, n: number, unit: number): boolean {
  if (unit >= 0xd800 && unit < 0xdc00) return (text.charCodeAt(n + 1) & 0xfc00) === 0xdc00;
  return unit >= 0xdc00 && unit < 0xe000 && (text.charCodeAt(n - 1) & 0xfc00) === 0xd800;
}
