import { JsonError } from './json-error.ts';
import { type MutableValue, readMembers } from './read-members.ts';

export type { MutableValue };

/** The document by the native reader, with its exact names. Throws `JsonError`; counts the depth only if needed. */
export function readDocument(text: string, depthMax: number, hasEscapedName: (text: string) => boolean): MutableValue {
  const native = readNative(text);
  return hasEscapedName(text) ? readMembers(text, depthMax) : native;
}

/** The native reader is many times faster than one in TypeScript, and keeps `__proto__` as an own property. */
function readNative(text: string): MutableValue {
  try {
    // Only here: what it lets through is checked by the callers. Its error quotes the input, so it goes no further.
    // oxlint-disable-next-line no-restricted-properties, typescript/no-unsafe-return
    return JSON.parse(text);
  } catch {
    throw new JsonError('malformed');
  }
}
