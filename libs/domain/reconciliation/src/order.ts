/** Ascending by UTF-8 bytes, like PostgreSQL's collation "C" and byte strings in every language. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rankOf(left) - rankOf(right);
  }
  return a.length - b.length;
}

/** Sorts texts in that order, in place. */
export function sortUtf8(texts: string[]): string[] {
  // Below the surrogates it is the order of UTF-16 as well, which native code sorts by several times as fast.
  return texts.some((text) => /[\ud800-\uffff]/.test(text)) ? texts.sort(compareUtf8) : texts.sort();
}

/** UTF-8 orders by code point, so surrogates, which stand for those above U+FFFF, come after U+E000 and on. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Ascending; null comes before every text. */
export function compareNullable(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareUtf8(a, b);
}
