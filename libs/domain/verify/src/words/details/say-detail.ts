import { type WordLanguage, WORDS } from '../words.ts';
import { GERMAN_FAILURES } from './german-failures.ts';
import { GERMAN_NAMES } from './german-names.ts';
import { GERMAN_OF_FILES } from './german-of-files.ts';
import { GERMAN_OF_READING } from './german-of-reading.ts';
import { GERMAN_OUTCOMES } from './german-outcomes.ts';
import type { Phrase } from './phrase.ts';

/** A phrase, ready to be compared: the texts between its places. */
type Prepared = { readonly between: readonly string[]; readonly other: string };

const SENTENCES = prepare([...GERMAN_OUTCOMES, ...GERMAN_FAILURES, ...GERMAN_OF_FILES, ...GERMAN_OF_READING]);
/** What stands at a place of a sentence: a name, or another sentence. */
const PARTS = prepare([
  ...GERMAN_NAMES,
  ...GERMAN_OUTCOMES,
  ...GERMAN_FAILURES,
  ...GERMAN_OF_FILES,
  ...GERMAN_OF_READING,
]);

/** Deeper, a detail has no phrases. */
const DEPTH_MAX = 4;
/** Longer, a detail quotes a list of its file, and is not worth the search. */
const LENGTH_MAX = 2_000;

/**
 * What a check found, in the language of its reader. What is not in the catalogue (the reason of a library, a name)
 * stands in English as it is.
 */
export function sayDetail(detail: string, language: WordLanguage): string {
  return language === 'en' || detail.length > LENGTH_MAX ? detail : translate(detail, SENTENCES, DEPTH_MAX);
}

/**
 * A check with what it found and what it does not prove in the language of its reader. A check of a record has its
 * limits in the words of the verifier.
 */
export function sayCheck<C extends Said>(check: C, language: WordLanguage): C {
  if (language === 'en') return check;
  const { checks } = WORDS[language];
  const isOfRecord = (name: string): name is keyof typeof checks => Object.hasOwn(checks, name);
  const limit = sayDetail(check.does_not_prove, language);
  return {
    ...check,
    detail: sayDetail(check.detail, language),
    does_not_prove: limit === check.does_not_prove && isOfRecord(check.check) ? checks[check.check].not_proved : limit,
  };
}

type Said = { readonly check: string; readonly detail: string; readonly does_not_prove: string };

/** Whether the catalogue has a phrase for a detail. */
export function isKnownDetail(detail: string): boolean {
  return SENTENCES.some((phrase) => match(detail, phrase) !== undefined);
}

/** The more a phrase says by itself, the earlier it is tried: `the answer` is not `the {1}`. */
function prepare(phrases: readonly Phrase[]): readonly Prepared[] {
  return phrases
    .map(([english, other]) => ({ between: english.split(/\{\d\}/), other }))
    .toSorted((a, b) => b.between.join('').length - a.between.join('').length);
}

function translate(text: string, phrases: readonly Prepared[], depth: number): string {
  if (depth === 0) return text;
  for (const phrase of phrases) {
    const found = match(text, phrase);
    if (found === undefined) continue;
    const said = found.map((part) => translate(part, PARTS, depth - 1));
    return phrase.other.replace(/\{(\d)\}/g, (_, n: string) => said[Number(n) - 1] ?? '');
  }
  return text;
}

/** What stands at the places of a phrase, each the shortest that fits; undefined where the text is another. */
function match(text: string, { between }: Prepared): readonly string[] | undefined {
  const [first = '', ...rest] = between;
  if (rest.length === 0) return text === first ? [] : undefined;
  if (!text.startsWith(first)) return undefined;
  const found: string[] = [];
  let at = first.length;
  for (const [n, literal] of rest.entries()) {
    const isLast = n === rest.length - 1;
    const end = isLast ? (text.endsWith(literal) ? text.length - literal.length : -1) : text.indexOf(literal, at + 1);
    if (end <= at) return undefined;
    found.push(text.slice(at, end));
    at = end + literal.length;
  }
  return found;
}
