import { fold } from './fold.ts';
import { listSought } from './list-words.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Shorter words are similar to too many others. */
const LENGTH_MIN = 4;
const LENGTH_MAX = 20;

/**
 * The words that are one slip away from a typed one (two letters exchanged, one missing, too many or wrong), each with
 * the stem that an index has of it; the likeliest slips first. None for words in other letters than Latin ones.
 */
export function listSimilar(typed: string): ReadonlyMap<string, string> {
  const word = fold(typed);
  const similar = new Map<string, string>();
  if (!/^[a-z]+$/.test(word) || word.length < LENGTH_MIN || word.length > LENGTH_MAX) return similar;
  const own = new Set(listSought(word));
  for (const form of slipsOf(word)) {
    const [stem, ...more] = listSought(form);
    if (stem !== undefined && more.length === 0 && !own.has(stem) && !similar.has(stem)) similar.set(stem, form);
  }
  return similar;
}

function* slipsOf(word: string): Generator<string> {
  const places = Array.from(word, (_, at) => at);
  for (const at of places.slice(1))
    yield word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1);
  for (const at of places) yield word.slice(0, at) + word.slice(at + 1);
  for (const at of [...places, word.length])
    for (const letter of LETTERS) yield word.slice(0, at) + letter + word.slice(at);
  for (const at of places) for (const letter of LETTERS) yield word.slice(0, at) + letter + word.slice(at + 1);
}
