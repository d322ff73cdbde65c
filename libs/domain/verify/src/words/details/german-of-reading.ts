import type { Phrase } from './phrase.ts';

/** What is said of files that cannot be read, are not used, or are parts of no pack, in German. */
export const GERMAN_OF_READING: readonly Phrase[] = [
  ['{1} is not used: {2}.', '{1} wird nicht verwendet: {2}.'],
  [
    '{1} is larger than 512 MiB; use the command line for it.',
    '{1} ist größer als 512 MiB; nehmen Sie dafür die Kommandozeile.',
  ],
  [
    'The folder holds no copy of a log: it has no folder "tile" in it.',
    'Der Ordner enthält keine Kopie eines Logs: Es fehlt der Ordner „tile“ darin.',
  ],
  ['it is a page without the parts of an evidence pack', 'sie ist eine Webseite ohne die Teile einer Beweisdatei'],
  [
    'it is neither a proof bundle, an evidence pack, a receipt (.tlog-proof) with its entry, a checkpoint, or the proof ' +
      'of a reconciliation',
    'sie ist weder Beweispaket noch Beweisdatei, weder Quittung (.tlog-proof) mit ihrem Eintrag noch Prüfpunkt oder ' +
      'Beweis eines Abgleichs',
  ],
  ['it is damaged JSON that does not say what it is', 'sie ist beschädigtes JSON, das nicht sagt, was es ist'],
  [
    'its format is not known to this verifier, which reads {1}',
    'dieses Prüfprogramm kennt ihr Format nicht; es liest Beweispakete, Beweisdateien, Quittungen mit ihrem Eintrag, ' +
      'Prüfpunkte und Beweise von Abgleichen',
  ],
  ['the bundle cannot be read: {1}', 'das Beweispaket ist nicht lesbar: {1}'],
  ['the trust file cannot be read: {1}', 'die Vertrauensdatei ist nicht lesbar: {1}'],
  ['the receipt cannot be read: {1}', 'die Quittung ist nicht lesbar: {1}'],
  ['the proof cannot be read: {1}', 'der Beweis ist nicht lesbar: {1}'],
  ['the checkpoint of the log cannot be read: {1}', 'der Prüfpunkt des Logs ist nicht lesbar: {1}'],
  ['this is not a proof bundle', 'das ist kein Beweispaket'],
  [
    'the format of the bundle is neither answer-evidence-bundle/v1 nor /v2',
    'das Format des Beweispakets ist weder answer-evidence-bundle/v1 noch /v2',
  ],
  ['this is not the proof of a reconciliation', 'das ist kein Beweis eines Abgleichs'],
  ['the part "{1}" is missing', 'der Teil „{1}“ fehlt'],
  ['the part "{1}" is in the file {2} times', 'der Teil „{1}“ steht {2}-mal in der Datei'],
  ['the part "{1}" cannot be read: {2}', 'der Teil „{1}“ ist nicht lesbar: {2}'],
  ['the part cannot be read: {1}', 'der Teil ist nicht lesbar: {1}'],
  ['the part is not on the list', 'der Teil steht nicht auf der Liste'],
  ['the list has its name more than once', 'die Liste hat seinen Namen mehr als einmal'],
  ['it is at place {1} of the list', 'er steht auf der Liste an Stelle {1}'],
  ['it stands before {1} in the file', 'er steht in der Datei vor {1}'],
  ['it stands in a comment', 'er steht in einem Kommentar'],
  ['its element is not written as the format says', 'sein Element ist nicht so geschrieben, wie das Format sagt'],
  ['it has a "<" that is not escaped', 'er hat ein „<“, das nicht maskiert ist'],
  [
    'the list has a name there that is not bundle-1, bundle-2 and so on',
    'die Liste hat dort einen Namen, der nicht bundle-1, bundle-2 und so weiter ist',
  ],
  ['the pack has no bundle', 'die Beweisdatei hat kein Beweispaket'],
  ['the file has more than {1} parts', 'die Datei hat mehr als {1} Teile'],
  ['the list has more than {1} names', 'die Liste hat mehr als {1} Namen'],
  ['{1}: which bundles the pack has is not known', '{1}: Welche Beweispakete die Datei hat, ist nicht bekannt'],
  ['the part "pack" is not JSON: {1}', 'der Teil „pack“ ist kein JSON: {1}'],
  ['the part "pack" is not an object', 'der Teil „pack“ ist kein Objekt'],
  ['the part "pack" has no list of bundles', 'der Teil „pack“ hat keine Liste der Beweispakete'],
  ['the part "pack" does not name the format {1}', 'der Teil „pack“ nennt nicht das Format {1}'],
  [
    'the part "pack" does not say when and from which log it was made',
    'der Teil „pack“ sagt nicht, wann und aus welchem Log er gemacht wurde',
  ],
  ['{1} demands less than your trust file: {2}', '{1} verlangt weniger als Ihre Vertrauensdatei: {2}'],
  ['the policy that the evidence shows', 'die Richtlinie, die der Beleg zeigt,'],
];
