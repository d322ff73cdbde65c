import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';
import type { Words } from './words-of.ts';

/** The languages of the verifier's words. */
export const WORD_LANGUAGES = ['en', 'de'] as const;
export type WordLanguage = (typeof WORD_LANGUAGES)[number];

/** The verifier's words by language: the same in the programs, the pages and the console. */
export const WORDS: Readonly<Record<WordLanguage, Words>> = { en: ENGLISH, de: GERMAN };

/** The first language that is wanted and known; English where there is none. */
export function chooseLanguage(wanted: readonly string[]): WordLanguage {
  for (const tag of wanted) {
    const known = WORD_LANGUAGES.find((language) => tag.toLowerCase().split(/[-_.]/)[0] === language);
    if (known !== undefined) return known;
  }
  return 'en';
}
