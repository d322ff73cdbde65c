/** Accents, umlauts and points of Latin, Greek and Cyrillic letters, of Hebrew vowels and of Arabic short vowels. */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/gu;
const SAME: Readonly<Record<string, string>> = { ß: 'ss', ı: 'i', ø: 'o', æ: 'a', œ: 'o', ð: 'd', þ: 'th', ł: 'l' };
const OTHERS = /[ßıøæœðþł]/gu;

/**
 * A text in which what differs by case, width or accents alone is the same: "Straße" and "STRASSE", "İade" and "iade".
 * Marks that make another letter (the voicing of kana, the vowels of Thai and Devanagari) stay.
 */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(MARKS, '').normalize('NFC').toLowerCase();
  // Lower case brings the point of a Turkish capital i back.
  return plain.replaceAll(MARKS, '').replaceAll(OTHERS, (letter) => SAME[letter] ?? letter);
}
