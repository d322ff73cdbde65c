import type { WordLanguage } from '@answer-evidence/verify';

/** Characters that turn the direction of the text after them, here of our own words, and controls. */
const TURNS = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** A short text of a file, as it may stand among our own words. */
export function showPlain(text: string): string {
  return text.replace(TURNS, '\u{FFFD}');
}

/** A time of a file for people, in UTC; what is no time stands as it is. */
export function formatTime(at: string, language: WordLanguage): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return showPlain(at);
  const style = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, style).format(date)} UTC`;
}
