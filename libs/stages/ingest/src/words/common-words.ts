import { fold } from './fold.ts';

/** Words that most texts have: no index has them, and nobody finds anything by them. */
export const COMMON_WORDS: ReadonlySet<string> = setOf(
  'a an the and or of to in is are was it its for on at as by be i you we they he she this that with from not have has do',
  'does can will about my your our their me us them there here if but so than then what which who when how why would',
  'could should may might no yes been were had did also any all please',
  'der die das den dem des und oder von zu im ist sind war es für auf als bei ein eine einen einem einer eines ich du sie',
  'er wir ihr mit aus nicht hat haben kann wird über um am an mein meine meinen ihre ihren sich wenn aber auch noch wie was',
  'wann warum wer wo ja nein bitte zum zur vom beim nach seit durch ohne gegen unter vor',
);

/**
 * Words by which people tell of an answer, and which say little of it. They are looked for where a search has no
 * others: "a customer asked about jackets" is about jackets.
 */
export const TELLING_WORDS: ReadonlySet<string> = setOf(
  'customer customers client clients user users person people someone somebody asked asks ask asking question questions',
  'answer answers answered answering said says told wanted wants know regarding concerning complained complaint',
  'kunde kunden kundin kundinnen jemand nutzer person fragte fragt fragen frage gefragt antwort antworten antwortete',
  'beantwortet sagte gesagt wollte wissen bezüglich betreffend wegen beschwerte beschwerde',
);

function setOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')).map(fold));
}
