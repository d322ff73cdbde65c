/** Shorter words are taken for no compounds. */
const WORD_LENGTH_MIN = 9;
const PART_LENGTH_MIN = 4;
const PLACES_MAX = 4;

const VOWELS = 'aeiouy';
/** What a German word begins with before its first vowel, besides any single consonant. */
const ONSETS = new Set(
  (
    'bl br ch chr dr fl fr gl gn gr kl kn kr pf pfl pfr ph pl pr qu sch schl schm schn schr schw sh sk sl sp spr st str ' +
    'th tr tw vr wr zw'
  ).split(' '),
);

/**
 * What a long folded word may begin and end with, if it is a compound: a "winterjacke" may be a "jacke", and a
 * "ruckgabefrist" is about "ruckgabe". Such an end begins a syllable, and the last few of them are taken. A part of no
 * meaning is what nobody looks for.
 */
export function listCompoundParts(word: string): readonly string[] {
  if (word.length < WORD_LENGTH_MIN) return [];
  const places = new Set<number>();
  let from = 0;
  for (const [at, letter] of [...word].entries()) {
    if (!VOWELS.includes(letter)) continue;
    const onset = word.slice(from, at);
    const start = [...onset].findIndex((_, n) => isOnset(onset.slice(n)));
    if (start >= 0) places.add(from + start);
    // An s may join two words as well as begin one: "monatsticket".
    if (onset.length - start > 1 && onset[start] === 's') places.add(from + start + 1);
    from = at + 1;
  }
  return [...places]
    .filter((place) => place >= PART_LENGTH_MIN && word.length - place >= PART_LENGTH_MIN)
    .slice(-PLACES_MAX)
    .flatMap((place) => [word.slice(0, place), word.slice(place)]);
}

function isOnset(letters: string): boolean {
  return letters.length === 1 || ONSETS.has(letters);
}
