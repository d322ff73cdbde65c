const encoder = new TextEncoder();
/** RFC 9113 section 4.1: length, type, flags, stream. Settings come first on every connection; these are empty. */
const EMPTY_SETTINGS = [0, 0, 0, 4, 0, 0, 0, 0, 0];
const GO_AWAY = 7;
const HTTP_1_1_REQUIRED = 13;

/** Ends a connection of HTTP/2 before its first request; clients show the advice in their error messages. */
export function formatGoAway(advice: string): Uint8Array {
  const text = encoder.encode(advice);
  const head = [...EMPTY_SETTINGS, 0, 0, 0, GO_AWAY, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, HTTP_1_1_REQUIRED];
  const frames = new Uint8Array(head.length + text.length);
  frames.set(head);
  frames.set(text, head.length);
  // The last stream that was looked at (none) and the code count to the length.
  new DataView(frames.buffer).setUint16(EMPTY_SETTINGS.length + 1, 8 + text.length);
  return frames;
}
