import type { JsonObject, JsonValue } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { canonicalize, readOr } from '@answer-evidence/encoding';
import { isJsonObject, readJsonText } from './json-value.ts';
import { nameText } from './prompts.ts';

/** An object that a model wrote: as the arguments of a tool that is there for the answer, or as its text. */
export type WrittenObject = { readonly hash: string; readonly text: string };

/** What is longer is no object that somebody is answered with. */
export const OBJECT_LENGTH_MAX = 65_536;

/** The hash of an object's canonical form (RFC 8785), or undefined where it has none. */
export function hashObject(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return undefined;
  return readOr(() => sha256Hex(canonicalize(value)), undefined);
}

/** An object in JSON; undefined for any other text. */
export function readObject(text: string): JsonObject | undefined {
  if (text.length > OBJECT_LENGTH_MAX || !/^\s*\{/.test(text)) return undefined;
  const read = readJsonText(text, 'loose');
  return read.kind === 'json' && isJsonObject(read.value) ? read.value : undefined;
}

/** How much of a hash names a text of a state: states have many, and are kept until their trace is decided. */
const NAME_LENGTH = 16;

/** Names a text that a state shows. */
export function nameShown(text: string): string {
  return shownNameOf(nameText(text));
}

/** The same of a text of which the whole name is known. */
export function shownNameOf(name: string): string {
  return name.slice(0, NAME_LENGTH);
}
