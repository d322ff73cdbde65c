const BACKSLASH = 0x5c;

/** The index of the quote that closes the JSON string opened at `start`; the text's length when nothing closes it. */
export function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    // A run of backslashes ends at one quote only, so however long it is, it is read once.
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
