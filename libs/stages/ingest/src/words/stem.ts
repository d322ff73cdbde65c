const LENGTH_MIN = 3;

/** Endings of English and German word forms, longer ones first. */
const ENDINGS = ['ings', 'ing', 'ern', 'est', 'en', 'em', 'er', 'es', 'ed', 'e', 's', 'n'];

/** Umlauts as people write them who have no key for them. */
const WRITTEN_OUT = /([aou])e/g;

/**
 * What forms of a word share: "returns" and "returned", "Jacke" and "Jacken", "Rückgabe" and "Rueckgabe". Endings are
 * taken away as long as there are any, so that each form ends in one stem. Nothing is known of other languages, whose
 * words lose an ending now and then: in texts and searches alike.
 */
export function stemOf(word: string): string {
  if (/\p{N}/u.test(word)) return word;
  let stem = word.replaceAll(WRITTEN_OUT, '$1');
  if (stem.endsWith('ies') && stem.length > LENGTH_MIN + 3) stem = `${stem.slice(0, -3)}y`;
  for (;;) {
    const ending = ENDINGS.find((one) => stem.endsWith(one) && stem.length - one.length >= LENGTH_MIN);
    const last = stem.at(-1);
    if (ending !== undefined) stem = stem.slice(0, -ending.length);
    else if (stem.length > LENGTH_MIN && last === stem.at(-2)) stem = stem.slice(0, -1);
    else return stem;
  }
}
