/** Longest part of a submitted key that a pointer repeats, in UTF-16 code units. */
const STEP_LENGTH_MAX = 100;

/** An RFC 6901 pointer. Its steps may be submitted keys: each is cut, so that no answer grows with a key. */
export function formatPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${cutKey(String(step)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The same pointer with every step cut. */
export function cutPointer(pointer: string): string {
  const [, ...steps] = pointer.split('/');
  return formatPointer(steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** A submitted key as an answer may repeat it. */
export function cutKey(key: string): string {
  return key.slice(0, STEP_LENGTH_MAX).toWellFormed();
}
