/** Ways to spell parts of a pattern, and the ranges that each stands for: \p needs a flag; Python reads \d wider. */
const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f`;
const SPELLINGS: readonly (readonly [string, string])[] = [
  [String.raw`\P{Cc}`, `[^${CONTROL}]`],
  [String.raw`\p{Cc}`, CONTROL],
  [String.raw`\p{Zl}\p{Zp}`, String.raw`\u2028\u2029`],
  [String.raw`\d`, '[0-9]'],
];

/** The pattern in ranges; patterns that are one spelled so take the same texts. */
export function spellPattern(pattern: unknown): unknown {
  if (typeof pattern !== 'string') return pattern;
  return SPELLINGS.reduce((text, [from, to]) => text.replaceAll(from, to), pattern);
}
