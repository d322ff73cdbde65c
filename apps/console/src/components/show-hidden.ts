// Written as numbers, so that this file has none of them itself.
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- Control characters are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** A text with every invisible or direction-changing character written as its number, such as `⟨U+202E⟩`. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `⟨U+${code.padStart(4, '0')}⟩`;
  });
}
