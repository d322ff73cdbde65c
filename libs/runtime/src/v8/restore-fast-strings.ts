/** More calls than V8 waits for before it gives a function its inline caches. */
const CALLS = 100;

/**
 * Makes methods of strings fast again. A class that extends `String` (ioredis has one) leaves V8 with
 * `String.prototype` as a dictionary, and it stays one: V8 fixes a prototype when a property of an object is looked up
 * in it, never for a string itself. Until then optimised code calls a look-up for each `charCodeAt`, and SHA-256 over a
 * short text takes twice as long. So a property of a String object is looked up here. To be called when all modules are
 * loaded; seen in V8 13.6.
 */
export function restoreFastStrings(): void {
  const text: unknown = Object('text');
  for (let n = 0; n < CALLS; n++) lookUp(text as string);
}

function lookUp(text: string): number {
  return text.charCodeAt(0);
}
