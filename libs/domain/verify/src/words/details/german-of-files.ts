import type { Phrase } from './phrase.ts';

/** What the checks of packs, receipts, checkpoints, logs and reconciliations say, in German. */
export const GERMAN_OF_FILES: readonly Phrase[] = [
  ['{1} {2}, as the list of the pack names them', 'Beweispakete: {1}, wie die Liste der Datei sie nennt'],
  ['the pack does not say when it was made', 'die Beweisdatei sagt nicht, wann sie gemacht wurde'],
  [
    'made_at is {1}, and its entry export_made has the time {2}',
    'made_at ist {1}, und ihr Eintrag export_made hat die Zeit {2}',
  ],
  [
    'made_at and the entry export_made differ by more than {1} seconds',
    'made_at und der Eintrag export_made liegen mehr als {1} Sekunden auseinander',
  ],
  [
    'made_at is {1}, and the log has an entry export_made of {2}, id {3}',
    'made_at ist {1}, und das Log hat einen Eintrag export_made von {2}, Id {3}',
  ],
  [
    'made_at, {1}, {2}: give the log, or the entry export_made of the pack (`entries show`)',
    'made_at, {1}, {2}: Geben Sie das Log an, oder den Eintrag export_made der Datei ' + '(`entries show`)',
  ],
  ['made_at, {1}, {2}: the given log lacks entries', 'made_at, {1}, {2}: Dem gegebenen Log fehlen Einträge'],
  [
    'made_at, {1}, {2}: the given log ends at {3}, and is older than the pack',
    'made_at, {1}, {2}: Das gegebene Log endet bei {3} und ist älter als die Datei',
  ],
  [
    'the log has no entry export_made within {1} seconds of made_at',
    'das Log hat keinen Eintrag export_made, der höchstens {1} Sekunden von made_at entfernt ist',
  ],
  [
    '{1} the maker’s word: give the entry export_made of the pack (`entries show`)',
    'dass diese Datei die gemachte ist, ist das Wort dessen, der sie machte: Geben Sie den Eintrag export_made der ' +
      'Datei an (`entries show`)',
  ],
  [
    'a page cannot read the file that it is: give the file to a verifier',
    'eine Seite kann die Datei nicht lesen, die sie ist: Geben Sie die Datei einem Prüfprogramm',
  ],
  ['the entry export_made is not that of an evidence pack', 'der Eintrag export_made ist nicht der einer Beweisdatei'],
  ['the log knows this file by its SHA-256, since {1}', 'das Log kennt diese Datei nach ihrem SHA-256, seit {1}'],
  [
    '{1}, as its receipt says: whose log it is needs a trust file',
    '{1}, wie ihre Quittung sagt: Wessen Log das ist, sagt nur eine Vertrauensdatei',
  ],
  [
    'a receipt is of an entry: give the file of the entry, or the log',
    'eine Quittung gilt einem Eintrag: Geben Sie die Datei des Eintrags an, oder das Log',
  ],
  [
    'the entry is canonical: {1} {2}, stated to be of {3}',
    'der Eintrag ist kanonisch: {1} {2}, nach seiner Angabe von {3}',
  ],
  [
    'leaf {1} of {2}: its entry is not at hand, or the log',
    'Blatt {1} von {2}: Sein Eintrag oder das Log ist nicht da',
  ],
  ['the entry is leaf {1} of the tree of {2} leaves', 'der Eintrag ist Blatt {1} des Baums von {2} Blättern'],
  [
    'the checkpoint is signed by a key of another log',
    'der Prüfpunkt ist mit dem Schlüssel eines anderen Logs signiert',
  ],
  ['{1} entries lead to the signed root', '{1} Einträge führen zu der signierten Wurzel'],
  ['a tile of level {1} is not that of the entries', 'eine Kachel der Ebene {1} ist nicht die der Einträge'],
  ['every tile of hashes is that of the entries', 'jede Kachel mit Hashes ist die der Einträge'],
  ['the given log is truncated inside {1}', 'das gegebene Log ist in {1} abgeschnitten'],
  [
    'the given log is truncated inside an entry of bundle {1}',
    'das gegebene Log ist in einem Eintrag des Bündels {1} abgeschnitten',
  ],
  ['the given log has too few entries in bundle {1}', 'das gegebene Log hat zu wenige Einträge im Bündel {1}'],
  [
    'the entries and hashes of bundle {1} of the given log differ',
    'die Einträge und Hashes des Bündels {1} im gegebenen Log passen nicht zusammen',
  ],
  ['leaf {1} of the log is not UTF-8 text', 'Blatt {1} des Logs ist kein Text in UTF-8'],
  ['the log was read for a smaller tree size', 'das Log wurde für eine kleinere Baumgröße gelesen'],
  ['the log was read for another tree size', 'das Log wurde für eine andere Baumgröße gelesen'],
  ['the log is truncated inside {1}', 'das Log ist in {1} abgeschnitten'],
  ['the tree has no root', 'der Baum hat keine Wurzel'],
  ['the root is not that of the empty tree', 'die Wurzel ist nicht die des leeren Baums'],
  [
    'the tiles of the log do not produce the root of its tree of {1} leaves',
    'die Kacheln des Logs ergeben nicht die Wurzel seines Baums von {1} Blättern',
  ],
  ['the witness policy of {1} cannot be read: {2}', '{1}: Die Regel für Zeugen ist nicht lesbar: {2}'],
  ['{1} references match those of the run', '{1} Verweise sind die des Abgleichs'],
  [
    '{1} records match those of the run, and each core matches its entry',
    '{1} Aufzeichnungen sind die des Abgleichs, und jede passt zu ihrem Eintrag',
  ],
  [
    '{1} findings follow from the references and the record set',
    '{1} Befunde folgen aus den Verweisen und der Menge der Aufzeichnungen',
  ],
  [
    '{1} findings follow from the references and the record set, and match the file',
    '{1} Befunde folgen aus den Verweisen und der Menge der Aufzeichnungen und sind die der Datei',
  ],
  [
    '{1} counts follow from the references and the record set',
    '{1} Zahlen folgen aus den Verweisen und der Menge der Aufzeichnungen',
  ],
  ['the roots, counts and tree are signed by {1}', 'Wurzeln, Zahlen und Baum sind signiert von {1}'],
  ['the core of the run matches its entry of {1}', 'der Inhalt des Abgleichs passt zu seinem Eintrag von {1}'],
  [
    'the receipt of the run does not lead to the checkpoint shown',
    'die Quittung des Abgleichs führt nicht zu dem gezeigten Prüfpunkt',
  ],
  ['the run is leaf {1} of the tree of {2} leaves', 'der Abgleich ist Blatt {1} des Baums von {2} Blättern'],
  [
    'the run is inside the tree that it was decided over',
    'der Abgleich steht in dem Baum, über den er entschieden wurde',
  ],
  [
    'the stated anchored size is larger than the tree of the run',
    'die angegebene verankerte Größe ist größer als der Baum des Abgleichs',
  ],
  [
    'the run was decided over the first {1} leaves of the same history',
    'der Abgleich wurde über die ersten {1} Blätter derselben Geschichte entschieden',
  ],
  ['the record set is empty', 'die Menge der Aufzeichnungen ist leer'],
  [
    'the log is not available, so the records of the set were not looked up in it',
    'das Log ist nicht da, also wurden die Aufzeichnungen der Menge nicht darin gesucht',
  ],
  [
    'the record at leaf {1} is {2}, but the log has no event for it',
    'die Aufzeichnung an Blatt {1} ist {2}, aber das Log hat kein Ereignis dazu',
  ],
  ['the record at leaf {1} needs no earlier run', 'die Aufzeichnung an Blatt {1} braucht keinen früheren Abgleich'],
  ['no record of the set depends on an earlier run', 'keine Aufzeichnung der Menge beruht auf einem früheren Abgleich'],
  ['the run {1} does not name the record at leaf {2}', 'der Abgleich {1} nennt die Aufzeichnung an Blatt {2} nicht'],
  ['of an earlier run, {1}', 'von einem früheren Abgleich: {1}'],
  ['{1} was not completed before this one', '{1}: wurde nicht vor diesem abgeschlossen'],
  ['{1} does not stand in the log where its proof says', '{1}: steht im Log nicht da, wo sein Beweis sagt'],
  [
    '{1} is not proven under the keys of the trust file',
    '{1}: ist nach den Schlüsseln der Vertrauensdatei nicht bewiesen',
  ],
  [
    '{1} records are expected because earlier runs name them; these runs are missing: {2}',
    '{1} Aufzeichnungen werden erwartet, weil frühere Abgleiche sie nennen; diese Abgleiche fehlen: {2}',
  ],
  [
    '{1} records are named by runs that precede this one in the log',
    '{1} Aufzeichnungen nennen Abgleiche, die im Log vor diesem stehen',
  ],
  [
    'Not that no record was left out before the list was made: that is the maker’s choice.',
    'Nicht, dass vor der Liste keine Aufzeichnung wegblieb: Die Auswahl traf, wer sie machte.',
  ],
  [
    'Not that the log’s time is right; only that the pack and the log agree on it.',
    'Nicht, dass die Zeit des Logs richtig ist; nur, dass Datei und Log in ihr übereinstimmen.',
  ],
  [
    'Not that the page of the pack can be trusted; only that the log knows this very file.',
    'Nicht, dass der Seite der Datei zu trauen ist; nur, dass das Log genau diese Datei kennt.',
  ],
  [
    'Not that the list is complete; the service cannot know about served answers that nobody listed.',
    'Nicht, dass die Liste vollständig ist; von Antworten, die niemand auflistet, weiß der Dienst nichts.',
  ],
  [
    'Not that no record of the application was left out, nor the statuses and opened texts; the service states these.',
    'Nicht, dass keine Aufzeichnung der Anwendung wegblieb, und nicht die Status und Texte; die gibt der Dienst an.',
  ],
  [
    'Not that no record was left out: log entries do not name their application. The service states the statuses.',
    'Nicht, dass keine Aufzeichnung wegblieb: Einträge nennen ihre Anwendung nicht. Die Status gibt der Dienst an.',
  ],
  [
    'Not that the earlier lists were right; only that they name these records.',
    'Nicht, dass die früheren Listen richtig waren; nur, dass sie diese Aufzeichnungen nennen.',
  ],
  [
    'Not that an answer was delivered or right; only that the list and the record set produce these findings.',
    'Nicht, dass eine Antwort zugestellt oder richtig war; nur, dass Liste und Aufzeichnungen diese Befunde ergeben.',
  ],
  ['Nothing beyond the findings.', 'Nichts über die Befunde hinaus.'],
  [
    'Not that the statement is right; only that the log’s own key signed it.',
    'Nicht, dass die Erklärung richtig ist; nur, dass der Schlüssel des Logs sie signiert hat.',
  ],
  [
    'Not that the times are right; the service states them.',
    'Nicht, dass die Zeiten richtig sind; der Dienst gibt sie an.',
  ],
  [
    'Not that the run saw every record; only that it refers to this history.',
    'Nicht, dass der Abgleich jede Aufzeichnung sah; nur, dass er sich auf diese Geschichte bezieht.',
  ],
  [
    'Not that the signer shows everyone the same log; proving that needs witnesses or anchors.',
    'Nicht, dass der Unterzeichner allen dasselbe Log zeigt; das brauchte Zeugen oder Anker.',
  ],
  [
    'Not that the entries are true; only that they are all leaves of the signed tree.',
    'Nicht, dass die Einträge wahr sind; nur, dass sie alle Blätter des signierten Baums sind.',
  ],
  [
    'Not that the host serves others the same tiles; only that these fit the entries.',
    'Nicht, dass der Host anderen dieselben Kacheln gibt; nur, dass diese zu den Einträgen passen.',
  ],
  ['the files contradict each other: {1}', 'die Dateien widersprechen einander: {1}'],
  [
    '{1} records are leaves of the log; {2} others of this time are not in the set: according to the service, they ' +
      'have another application or environment or lie after the window',
    '{1} Aufzeichnungen sind Blätter des Logs; {2} andere dieser Zeit sind nicht in der Menge: Nach Angabe des ' +
      'Dienstes sind sie von einer anderen Anwendung oder Umgebung oder liegen nach dem Zeitfenster',
  ],
  ['{1} references are outside the window of the run', '{1} Verweise liegen außerhalb des Zeitfensters des Abgleichs'],
  [
    '{1} records of the set are neither in the window nor named',
    '{1} Aufzeichnungen der Menge liegen weder im Zeitfenster noch sind sie genannt',
  ],
  [
    'line {1} of the findings does not follow from the references and records',
    'Zeile {1} der Befunde folgt nicht aus den Verweisen und Aufzeichnungen',
  ],
  ['a record of the set could not be verified', 'eine Aufzeichnung der Menge ließ sich nicht prüfen'],
  ['{1} is not in order after the previous one', '{1}: steht nicht in der Reihenfolge nach der vorigen'],
  ['{1} is not in the tree of the run', '{1}: steht nicht in dem Baum des Abgleichs'],
  [
    '{1} was created outside the window and its lateness',
    '{1}: entstand außerhalb des Zeitfensters und seiner Verspätung',
  ],
  [
    'the value of {1} has no keyed commitment that could have been opened',
    '{1}: Der Wert hat keine Bindung mit Schlüssel, die sich öffnen ließe',
  ],
  ['the value of {1} equals a hash but was not opened', '{1}: Der Wert gleicht einem Hash, wurde aber nicht geöffnet'],
];
