import { COMMON_WORDS } from './common-words.ts';
import { listCompoundParts } from './compound-parts.ts';
import { fold } from './fold.ts';
import { stemOf } from './stem.ts';

/** Different words of one text that an index takes; the rest of a longer text is not found by its words. */
const WORDS_PER_TEXT_MAX = 4_000;
/** Longest word, in letters; what is longer is cut, in texts and searches alike. */
const WORD_LENGTH_MAX = 40;

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no spaces between words, and Korean, which writes its particles onto them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const HAN = /\p{Script=Han}/u;

/** The different words by which a text is found: stems, and where words have no spaces between, pieces of them. */
export function listWords(text: string): readonly string[] {
  const words = new Set<string>();
  for (const [run] of fold(text).matchAll(RUN)) {
    for (const { letters, isSpaced } of partsOf(run))
      for (const word of isSpaced ? listForms(letters) : listPieces(letters)) words.add(word);
    if (words.size >= WORDS_PER_TEXT_MAX) break;
  }
  return [...words].slice(0, WORDS_PER_TEXT_MAX);
}

/** What a text must have to be found by a word that somebody typed; nothing for a word that no index has. */
export function listSought(typed: string): readonly string[] {
  const words = [...fold(typed).matchAll(RUN)].flatMap(([run]) =>
    partsOf(run).flatMap(({ letters, isSpaced }) =>
      isSpaced ? stemsOf(letters) : listGrams([...letters], Math.min(3, [...letters].length)),
    ),
  );
  return [...new Set(words)];
}

type Part = { readonly letters: string; readonly isSpaced: boolean };

/** The parts of letters in a row that are of scripts with and without spaces between words. */
function partsOf(run: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: letters, index } of run.matchAll(UNSPACED)) {
    parts.push({ letters: run.slice(from, index), isSpaced: true }, { letters, isSpaced: false });
    from = index + letters.length;
  }
  return [...parts, { letters: run.slice(from), isSpaced: true }];
}

/** The stem of a word, and those of its parts if it is a compound. */
function listForms(word: string): readonly string[] {
  const cut = [...word.slice(0, 2 * WORD_LENGTH_MAX)].slice(0, WORD_LENGTH_MAX).join('');
  return [cut, ...listCompoundParts(cut)].flatMap(stemsOf);
}

/** The stem of a word; none of one that most texts have, and none of a single letter, which a contraction leaves. */
function stemsOf(word: string): readonly string[] {
  if (word === '' || COMMON_WORDS.has(word)) return [];
  const stem = stemOf([...word].slice(0, WORD_LENGTH_MAX).join(''));
  return stem.length > 1 || /\p{N}/u.test(stem) ? [stem] : [];
}

function listPieces(letters: string): readonly string[] {
  const all = [...letters];
  return [...all.filter((letter) => HAN.test(letter)), ...listGrams(all, 2), ...listGrams(all, 3)];
}

/** All pieces of this size; of fewer letters there is none. */
function listGrams(letters: readonly string[], size: number): readonly string[] {
  const count = Math.max(letters.length - size + 1, 0);
  return Array.from({ length: count }, (_, at) => letters.slice(at, at + size).join(''));
}
