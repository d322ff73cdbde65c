import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';

/** Characters that turn or hide what stands beside them; pages show them by their numbers. */
const ACTING = /(?![\t\n])[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Whether no field takes it: PostgreSQL keeps no U+0000, and no encoding has half a character. */
export const isRefused = (text: string) => text.includes('\0') || !text.isWellFormed();
/** Those that a field may take. */
export const JSON_TEXTS: readonly string[] = HOSTILE_TEXTS.filter((text) => !isRefused(text));
/** Those of which a name may be: without controls, and short. */
export const NAMES: readonly string[] = JSON_TEXTS.filter((text) => !/\p{Cc}/u.test(text) && text.length <= 190);
/** A megabyte in UTF-8 is too long for a field; a quarter of one without a space is not. */
export const LONG = 'W'.repeat(250_000);
/** All of them in a few texts, each as long as a comment may be. */
export const CHUNKS = chunksOf(JSON_TEXTS, 1_900);
/** One that a form takes, too. */
export const ELSEWHERE = '<img src=https://evil.example/x onerror=alert(1)> {{7*7}} =1+1';

/** A text without characters that act, and without the numbers that pages show for them. */
export function bare(text: string): string {
  return text.replaceAll(ACTING, '').replaceAll(/U\+(?:E0[\dA-F]{3}|[\dA-F]{4})/g, '');
}

function chunksOf(texts: readonly string[], lengthMax: number): readonly string[] {
  const chunks: string[] = [];
  let chunk = '';
  for (const text of texts.filter(({ length }) => length < lengthMax)) {
    if (chunk.length + text.length + 1 > lengthMax) {
      chunks.push(chunk.trim());
      chunk = '';
    }
    chunk += `${text} `;
  }
  return [...chunks, chunk.trim()];
}
