import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { isJsonArray, isJsonObject, memberOf } from './json-value.ts';
import { findPrintedText } from './python-literals.ts';

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

/** The text of a part: `content` in the GenAI conventions, `text` in what providers' libraries send; else null. */
export function textOfPart(part: JsonValue): string | null {
  if (typeof part === 'string') return part;
  if (!isJsonObject(part) || isContext(part)) return null;
  const type = memberOf(part, 'type') ?? memberOf(part, 'block_type') ?? 'text';
  if (!isTextType(type)) return null;
  const named = ['content', 'text', 'refusal'].map((name) => memberOf(part, name));
  const text = named.find((member) => member !== undefined) ?? readData(part);
  return typeof text === 'string' ? readPrintedPart(text) : null;
}

/** Genkit adds documents to a message as parts that it marks so. */
function isContext(part: JsonObject): boolean {
  const metadata = memberOf(part, 'metadata');
  return isJsonObject(metadata) && memberOf(metadata, 'purpose') === 'context';
}

/** The object that a model answered with, which Genkit shows in the place of its text. */
function readData(part: JsonObject): string | undefined {
  const data = Object.keys(part).length === 1 ? memberOf(part, 'data') : undefined;
  return isJsonObject(data) || (data !== undefined && isJsonArray(data)) ? JSON.stringify(data) : undefined;
}

/** A part that an instrumentation wrote as a text, in the form in which Python shows it; any other text is its own. */
function readPrintedPart(text: string): string | null {
  const [, type] = /^\{'type': '(\w+)'/.exec(text) ?? [];
  if (type === undefined) return /^(?:Response\w+\(\w+=|\[\{'refusal': )/.test(text) ? null : text;
  return isTextType(type) ? (findPrintedText(text) ?? '') : null;
}
