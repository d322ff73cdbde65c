import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { parseBase64, readOr } from '@answer-evidence/encoding';
import { CONTEXT_PARTS, DATA_PARTS } from '../dialects/writing-tables.ts';
import { isJsonArray, isJsonObject, memberOf } from '../item/json-value.ts';
import { BYTES_BEGIN } from '../item/loose-json.ts';
import { BYTES_MIN } from '../item/loose-tokens.ts';
import { findPrintedText } from '../item/python-literals.ts';

/** Types of parts that are texts of somebody; what a model says to refuse is one. */
const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'refusal']);

/** Whether a part of this type is a text. */
export function isTextType(type: unknown): boolean {
  return TEXT_TYPES.has(type);
}

/**
 * The texts of the parts of a message as one; null is a part that is no text. Parts of a person are joined by line
 * feeds. Those of a model that stand side by side are pieces of one text, as providers' libraries put them together.
 */
export function joinTexts(parts: readonly (string | null)[], isOfModel: boolean): string {
  let joined = '';
  let isBehindText = false;
  for (const part of parts) {
    if (part === '') continue;
    const isBroken = joined !== '' && !(isOfModel && isBehindText);
    if (part !== null) joined += isBroken ? `\n${part}` : part;
    isBehindText = part !== null;
  }
  return joined;
}

/** The text of a part: `content` in the official conventions, `text` in what providers' libraries send; else null. */
export function textOfPart(part: JsonValue): string | null {
  if (typeof part === 'string') return part;
  if (!isJsonObject(part) || isContext(part)) return null;
  const type = memberOf(part, 'type') ?? memberOf(part, 'block_type') ?? 'text';
  if (!isTextType(type)) return null;
  const named = ['content', 'text', 'refusal'].map((name) => memberOf(part, name));
  const text = named.find((member) => member !== undefined) ?? readData(part);
  return typeof text === 'string' ? readPrintedPart(text) : null;
}

/** Whether a part is a document that a framework added to a message. */
function isContext(part: JsonObject): boolean {
  const metadata = memberOf(part, 'metadata');
  return isJsonObject(metadata) && CONTEXT_PARTS.some(({ key, value }) => memberOf(metadata, key) === value);
}

/** The object that a model answered with, in the place of its text. */
function readData(part: JsonObject): string | undefined {
  const [only = '', ...more] = Object.keys(part);
  const data = DATA_PARTS.includes(only) && more.length === 0 ? memberOf(part, only) : undefined;
  return isJsonObject(data) || (data !== undefined && isJsonArray(data)) ? JSON.stringify(data) : undefined;
}

/** A part that an instrumentation wrote as a text, in the form in which Python shows it; any other text is its own. */
function readPrintedPart(text: string): string | null {
  const [, type] = /^\{'type': '(\w+)'/.exec(text) ?? [];
  if (type === undefined) return /^(?:Response\w+\(\w+=|\[\{'refusal': )/.test(text) ? null : text;
  return isTextType(type) ? (findPrintedText(text) ?? '') : null;
}

/** Types of parts that are pictures, sounds or files, and members of other forms that hold one. */
const BINARY_TYPES = /^(?:blob|uri|file|image|image_url|input_image|input_file|input_audio|audio|video|binary|media)$/;
const BINARY_MEMBERS = ['inlineData', 'inline_data', 'fileData', 'file_data', 'image', 'document', 'video', 'audio'];
/** How deep the bytes of such a part stand, `{image: {source: {bytes}}}`. */
const BINARY_DEPTH_MAX = 4;
/** What is shorter is a name, a type or an address. */
const BASE64_LENGTH_MIN = 64;

/**
 * What a part says that is a picture or the like, by its hash: `[image sha256:…]`, or `[image address sha256:…]` where
 * only its address or id is there, which is what is hashed then; undefined for any other part.
 */
export function nameBinaryPart(part: JsonValue): string | undefined {
  if (!isJsonObject(part)) return undefined;
  const type = memberOf(part, 'type');
  const isBinary =
    typeof type === 'string' ? BINARY_TYPES.test(type) : BINARY_MEMBERS.some((name) => Object.hasOwn(part, name));
  if (!isBinary) return undefined;
  const bytes = findBytes(part, 0);
  if (bytes !== undefined) return `[${kindOf(part)} sha256:${bytes}]`;
  const address = findAddress(part, 0);
  return address === undefined ? undefined : `[${kindOf(part)} address sha256:${sha256Hex(address.toWellFormed())}]`;
}

/** Members that name a file by its id at a provider. */
const FILE_IDS: ReadonlySet<string> = new Set(['file_id', 'fileId']);

/** The first address in a part, or the id of a file. */
function findAddress(value: JsonValue, depth: number): string | undefined {
  if (depth > BINARY_DEPTH_MAX || !(isJsonArray(value) || isJsonObject(value))) return undefined;
  for (const [key, member] of Object.entries(value) as readonly (readonly [string, JsonValue])[]) {
    const isAddress = typeof member === 'string' && (FILE_IDS.has(key) ? member !== '' : ADDRESS.test(member));
    const found = isAddress ? member : findAddress(member, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const ADDRESS = /^(?!data:)[a-z][a-z\d+.-]{0,31}:\/\/\S/i;

const KIND_MEMBERS = ['modality', 'type', 'media_type', 'mediaType', 'mime_type', 'mimeType'];

function kindOf(part: JsonObject): string {
  const within = [part, ...Object.values(part).filter(isJsonObject)];
  const said = within.flatMap((one) => KIND_MEMBERS.map((name) => memberOf(one, name)));
  const named = [...said.filter((name) => typeof name === 'string'), ...Object.keys(part)].join(' ');
  return ['image', 'audio', 'video'].find((kind) => named.includes(kind)) ?? 'file';
}

/** The SHA-256 of the first bytes in a part, of what they are decoded to, in hex. */
function findBytes(value: JsonValue, depth: number): string | undefined {
  if (typeof value === 'string') return hashBytes(value);
  const numbers = bytesIn(value);
  if (numbers !== undefined) return sha256Hex(numbers);
  if (depth === BINARY_DEPTH_MAX || !(isJsonArray(value) || isJsonObject(value))) return undefined;
  for (const member of Object.values(value) as readonly JsonValue[]) {
    const found = findBytes(member, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Bytes that are written as numbers, in a list or by positions, in a text so short that they were not skipped. */
function bytesIn(value: JsonValue): Uint8Array | undefined {
  if (!isJsonArray(value) && !isJsonObject(value)) return undefined;
  const members = Object.entries(value);
  const isOfBytes = members.every(([key, byte], n) => {
    return key === String(n) && typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte <= 255;
  });
  return members.length >= BYTES_MIN && isOfBytes ? Uint8Array.from(members, ([, byte]) => Number(byte)) : undefined;
}

function hashBytes(text: string): string | undefined {
  if (text.startsWith(BYTES_BEGIN)) return text.slice(BYTES_BEGIN.length);
  const at = text.startsWith('data:') ? text.indexOf(',') + 1 : 0;
  if (at === 0 && text.length < BASE64_LENGTH_MIN) return undefined;
  const base64 = text.slice(at).replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '');
  return readOr(() => sha256Hex(parseBase64(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='))), undefined);
}
