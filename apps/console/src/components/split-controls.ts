/** A piece of a text; one that must not act is named by its code point. */
type Part = { readonly value: string; readonly code?: string };

// Directional marks, embeddings, overrides and isolates; zero-width and tag characters; controls but tab and line feed.
const ACTING = /(?![\t\n])[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** The text in pieces, with each character apart that would turn or hide what stands beside it. */
export function splitControls(text: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: value, index } of text.matchAll(ACTING)) {
    if (index > from) parts.push({ value: text.slice(from, index) });
    parts.push({ value, code: `U+${(value.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` });
    from = index + value.length;
  }
  if (from < text.length) parts.push({ value: text.slice(from) });
  return parts;
}

/** The same where only a text can stand, such as a label, an option or the words of an error. */
export function nameControls(text: string): string {
  return splitControls(text)
    .map(({ value, code }) => code ?? value)
    .join('');
}
