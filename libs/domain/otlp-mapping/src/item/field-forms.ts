import { EXTERNAL_ID_LENGTH_MAX, externalId, key, sha256Hash, TEXT_BYTES_MAX } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { utf8 } from '@answer-evidence/encoding';
import type { AttributeValue } from './otlp-item.ts';
import { Rejection } from './rejection.ts';

/** Forms of single fields, with a create's limits. Each throws `Rejection` with a sentence that names the field. */

/** A string that UTF-8 and PostgreSQL can hold. */
export function readString(value: AttributeValue, name: string): string {
  if (typeof value !== 'string') throw new Rejection(`${name} must be a string`);
  if (!value.isWellFormed()) throw new Rejection(`${name} contains an unpaired surrogate`);
  if (value.includes('\0')) throw new Rejection(`${name} contains the character U+0000`);
  return value;
}

/** The text of a question or an answer. */
export function readText(value: AttributeValue, name: string): string {
  const text = readString(value, name);
  if (isLongerThan(text, TEXT_BYTES_MAX))
    throw new Rejection(`${name} must be at most ${TEXT_BYTES_MAX} bytes of UTF-8`);
  return text;
}

/** A plain SHA-256 commitment. */
export function readHash(value: AttributeValue, name: string): string {
  return parseBy(sha256Hash, value, name);
}

/** A key of an application, an environment or a request. */
export function readKey(value: AttributeValue, name: string): string {
  return parseBy(key, value, name);
}

/** An id of another system, or the hash of an actor or a session. */
export function readExternalId(value: AttributeValue, name: string): string {
  return parseBy(externalId, value, name);
}

/** The id of a message: gateways make ids of hundreds of characters, of which a record has the SHA-256. */
export function readMessageId(value: AttributeValue, name: string): string {
  const text = readString(value, name);
  return text.length > EXTERNAL_ID_LENGTH_MAX ? `sha256:${sha256Hex(text)}` : readExternalId(text, name);
}

/** Whether the UTF-8 form is longer; a UTF-16 code unit is at most three bytes, so most texts need no encoding. */
export function isLongerThan(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false;
  return text.length > bytes || utf8(text).length > bytes;
}

function parseBy(schema: typeof key, value: AttributeValue, name: string): string {
  const text = readString(value, name);
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new Rejection(`${name} ${parsed.error.issues[0]?.message ?? 'does not have its form'}`);
}
