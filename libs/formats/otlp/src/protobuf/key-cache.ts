/** Slots; a power of two. A batch has some tens of attribute keys. */
const SLOTS = 512;
const KEY_MAX_BYTES = 64;

/** Texts of a request that were seen before, so that each is made once. */
export type KeyCache = {
  /** The text of these bytes, when it is kept. */
  find(bytes: Uint8Array, start: number, end: number): string | undefined;
  /** Keeps the text when it is short and ASCII, and returns it. */
  keep(bytes: Uint8Array, start: number, end: number, text: string): string;
};

/** An empty cache. It belongs to one request: keys are the sender's. */
export function createKeyCache(): KeyCache {
  const slots = new Array<string>(SLOTS).fill('');
  return {
    find(bytes, start, end) {
      const text = slots[slotOf(bytes, start, end)] ?? '';
      const length = end - start;
      // A text that is not ASCII has fewer characters than bytes, or is not kept.
      if (text.length !== length) return undefined;
      for (let n = 0; n < length; n++) if (text.charCodeAt(n) !== bytes[start + n]) return undefined;
      return text;
    },
    keep(bytes, start, end, text) {
      if (end - start <= KEY_MAX_BYTES && text.length === end - start) slots[slotOf(bytes, start, end)] = text;
      return text;
    },
  };
}

/** Attribute keys differ in their ends, and in their lengths. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1] ?? 0;
  const middle = bytes[(start + end) >> 1] ?? 0;
  return ((end - start) * 31 + last * 7 + middle * 13 + (bytes[end - 4] ?? 0)) & (SLOTS - 1);
}
