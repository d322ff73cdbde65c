const encoder = new TextEncoder();

/** The text, or as much of its beginning as fits into so many bytes of UTF-8, and then an ellipsis. */
export function trimText(text: string, maxBytes: number): string {
  // A character of UTF-16 has at most three bytes.
  if (text.length * 3 <= maxBytes) return text;
  const { read, written } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  if (read === text.length) return text;
  if (written < 3) return '';
  const kept = encoder.encodeInto(text, new Uint8Array(maxBytes - 3)).read;
  return text.slice(0, kept) + '…';
}
