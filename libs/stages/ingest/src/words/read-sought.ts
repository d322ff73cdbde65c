import { TELLING_WORDS } from './common-words.ts';
import { fold } from './fold.ts';
import { listSought } from './list-words.ts';

/** Words of one search that are looked for, and pieces of each. */
const WORDS_MAX = 8;

/** A word as somebody typed it, with what a text must have in order to be found by it. */
type SoughtWord = { readonly typed: string; readonly words: readonly string[] };

/** The words of a search that are looked for, and those that are left out: beyond the bound, or saying too little. */
export function readSought(text: string): {
  readonly sought: readonly SoughtWord[];
  readonly leftOut: readonly string[];
} {
  const seen = new Set<string>();
  const all = [...text.matchAll(/[\p{L}\p{N}\p{M}ー]+/gu)].flatMap(([typed]): SoughtWord[] => {
    const words = listSought(typed).slice(0, WORDS_MAX);
    const key = words.join(' ');
    if (words.length === 0 || seen.has(key)) return [];
    seen.add(key);
    return [{ typed, words }];
  });
  const isTelling = ({ typed }: SoughtWord) => TELLING_WORDS.has(fold(typed));
  const telling = all.every(isTelling) ? [] : all.filter(isTelling);
  const others = all.filter((word) => !telling.includes(word));
  const leftOut = [...telling, ...others.slice(WORDS_MAX)];
  return { sought: others.slice(0, WORDS_MAX), leftOut: leftOut.map(({ typed }) => typed) };
}
