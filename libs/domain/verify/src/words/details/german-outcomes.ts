import type { Phrase } from './phrase.ts';

/** What PASS, SKIP and NA say, in German. */
export const GERMAN_OUTCOMES: readonly Phrase[] = [
  ['the text of {1} matches its commitment', '{1}: Der Text passt zu seinem Hash'],
  ['the text of {1} is withheld: {2}', '{1}: Der Text wurde nicht mitgegeben; {2}'],
  [
    'this bundle was asked for without texts; a bundle with them decides this check',
    'dieses Beweispaket wurde ohne Texte verlangt; eines mit Texten entscheidet diese Prüfung',
  ],
  ['the text of {1} is not available: {2}', '{1}: Der Text ist nicht da; {2}'],
  ['it was discarded after hashing, according to the core', 'er wurde laut Aufzeichnung nach dem Hashen verworfen'],
  ['it was never submitted, according to the core', 'er wurde laut Aufzeichnung nie eingereicht'],
  ['an event of the record redacted it', 'ein Ereignis der Aufzeichnung schwärzte ihn'],
  ['it expired, according to an entry of the log', 'laut einem Eintrag des Logs ist er abgelaufen'],
  ['event {1} states no corrected answer', 'Ereignis {1} nennt keine berichtigte Antwort'],
  ['the record has no correction', 'die Aufzeichnung hat keine Berichtigung'],
  ['{1} ({2} such parts)', '{1} ({2} solche Teile)'],
  ['the record has no {1}', 'die Aufzeichnung hat keine {1}'],
  ['all {1} were erased, as the log says', 'alle {1} wurden gelöscht, wie das Log sagt'],
  ['{1} of {2} {3} are shown and match the record', '{1} von {2} {3} sind zu sehen und passen zur Aufzeichnung'],
  ['no trace is attached to the record', 'an der Aufzeichnung hängt kein Trace'],
  ['{1} attached {2} that {3} recorded', 'angehängte Traces: {1}, jeder wie aufgezeichnet'],
  ['the record names no access event', 'die Aufzeichnung nennt keinen Abruf'],
  [
    '{1} accesses by this application are in the log before the record',
    '{1} Abrufe dieser Anwendung stehen im Log vor der Aufzeichnung',
  ],
  [
    '{1} accesses by this application are in the log before the record; the accessed content of {2} was erased, ' +
      'according to entries of the log',
    '{1} Abrufe dieser Anwendung stehen im Log vor der Aufzeichnung; der Inhalt von {2} wurde laut dem Log gelöscht',
  ],
  ['the hash of the record matches its entry', 'der Hash der Aufzeichnung passt zu ihrem Eintrag'],
  ['the events lead to the status', 'die Ereignisse führen zu diesem Status'],
  ['the record has no event', 'die Aufzeichnung hat kein Ereignis'],
  [
    '{1} events follow the record in an unbroken chain',
    '{1} Ereignisse folgen der Aufzeichnung in einer ununterbrochenen Kette',
  ],
  [
    '{1} events follow the record in an unbroken chain; {2}',
    '{1} Ereignisse folgen der Aufzeichnung in einer ununterbrochenen Kette; {2}',
  ],
  [
    'event {1} is by {2} alone, since nobody else could approve it',
    'Ereignis {1} ist von {2} allein, weil niemand sonst es freigeben konnte',
  ],
  ['event {1} was asked for by {2} and approved by {3}', 'Ereignis {1} hat {2} beantragt und {3} freigegeben'],
  ['this check needs the log: {1}', 'diese Prüfung braucht das Log: {1}'],
  [
    'a later correction, void or redaction could have been left out',
    'eine spätere Berichtigung, Ungültigkeit oder Schwärzung könnte ausgelassen sein',
  ],
  [
    'a leaf may have a time that the leaves beside it contradict',
    'ein Blatt kann eine Zeit haben, der die Blätter daneben widersprechen',
  ],
  ['{1} has no other entry about this record below leaf {2}', '{1} hat unter Blatt {2} keinen anderen Eintrag zu ihr'],
  ['the log, hashed leaf by leaf,', 'das Log, Blatt für Blatt gehasht,'],
  ['the service’s database', 'die Datenbank des Dienstes'],
  ['the given log lacks {1}: {2}', 'dem gegebenen Log fehlt {1}: {2}'],
  ['the given log lacks {1}', 'dem gegebenen Log fehlt {1}'],
  ['the given log lacks hashes', 'dem gegebenen Log fehlen Hashes'],
  ['the given log lacks entries', 'dem gegebenen Log fehlen Einträge'],
  ['only {1} were seen to be in order', 'nur bei {1} war die Reihenfolge zu sehen'],
  ['an erasure of the evidence could have been left out', 'eine Löschung der Belege könnte ausgelassen sein'],
  ['not every record of the set was looked up in it', 'nicht jede Aufzeichnung der Menge wurde darin gesucht'],
  ['{1} are in order', '{1}: alles in Ordnung'],
  ['{1}, each in its place', '{1}, jedes an seinem Platz'],
  ['{1} leaves of the log', '{1} Blätter des Logs'],
  [
    '{1} entries, rebuilt from their objects, hash to their leaves',
    '{1} Einträge, aus ihren Objekten neu gebaut, haben die Hashes ihrer Blätter',
  ],
  [
    '{1} entries, rebuilt from their objects, hash to their leaves; {2}',
    '{1} Einträge, aus ihren Objekten neu gebaut, haben die Hashes ihrer Blätter; {2}',
  ],
  ['no hold is stated', 'keine Sperre ist genannt'],
  ['{1} holds covered the record, not released: {2}', '{1} Sperren galten für die Aufzeichnung, nicht aufgehoben: {2}'],
  ['{1} leaves are in the tree of {2} leaves', '{1} Blätter sind im Baum von {2} Blättern'],
  ['signed by {1} of this tree size', 'signiert von {1} dieser Baumgröße'],
  ['signed by {1}', 'signiert von {1}'],
  ['signed by the given key of {1}', 'signiert vom gegebenen Schlüssel von {1}'],
  [
    'every pinned key of this size signed the tree of {1} leaves',
    'jeder angeheftete Schlüssel dieser Größe hat den Baum von {1} Blättern signiert',
  ],
  [
    'no other checkpoint of the log is available for comparison',
    'kein anderer Prüfpunkt des Logs ist zum Vergleichen da',
  ],
  [
    'whether it continues the trees of sizes {1} needs the log, or a quorum for both',
    'ob er die Bäume der Größen {1} fortsetzt, sagt nur das Log, oder ein Quorum für beide',
  ],
  ['the same history as the trees of sizes {1}', 'dieselbe Geschichte wie die Bäume der Größen {1}'],
  [
    'no receipt from the record’s creation was given',
    'es wurde keine Quittung von der Entstehung der Aufzeichnung gegeben',
  ],
  [
    'the log still extends the tree of {1} leaves in which the receipt was issued',
    'das Log setzt den Baum von {1} Blättern noch fort, in dem die Quittung ausgestellt wurde',
  ],
  [
    'the receipt is valid for this leaf; it is from {1}, an earlier name of the log, whose trees are not compared',
    'die Quittung gilt für dieses Blatt; sie ist von {1}, einem früheren Namen des Logs, dessen Bäume nicht ' +
      'verglichen werden',
  ],
  ['the receipt and the checkpoint are of the same tree', 'die Quittung und der Prüfpunkt sind vom selben Baum'],
  [
    'the receipt is valid, and the log extends its tree of {1} leaves',
    'die Quittung gilt, und das Log setzt ihren Baum von {1} Blättern fort',
  ],
  ['the receipt is valid; {1}, and {2} needs the log', 'die Quittung gilt; {1}, und {2}, sagt nur das Log'],
  ['the log has grown since', 'das Log ist seither gewachsen'],
  ['this evidence is older than it', 'dieser Beleg ist älter als sie'],
  ['whether the log extends its tree of {1} leaves', 'ob das Log ihren Baum von {1} Blättern fortsetzt'],
  [
    'the receipt is valid, and its tree of {1} leaves is part of the same history',
    'die Quittung gilt, und ihr Baum von {1} Blättern gehört zur selben Geschichte',
  ],
  [
    'who signed this was not verified: give a trust file',
    'wer signierte, wurde nicht geprüft: Geben Sie eine Vertrauensdatei an',
  ],
  [
    'no reconciliation run is available; it needs a list that only the caller has',
    'es gibt keinen Abgleich; er braucht eine Liste, die nur die Anwendung hat',
  ],
  ['no completed reconciliation run covers the record', 'kein abgeschlossener Abgleich umfasst die Aufzeichnung'],
  ['{1} found nothing about the record', '{1} fand nichts zu der Aufzeichnung'],
  ['{1} found about the record: {2}', '{1} fand zu der Aufzeichnung: {2}'],
  ['the run {1} over the first {2} leaves', 'der Abgleich {1} über die ersten {2} Blätter'],
  [
    'the workspace requires witnesses, but the trust file names none',
    'der Arbeitsbereich verlangt Zeugen, aber die Vertrauensdatei nennt keine',
  ],
  ['no policy requires witnesses', 'keine Richtlinie verlangt Zeugen'],
  ['cosigned by {1}, which reaches the quorum', 'mitsigniert von {1}; das Quorum ist erreicht'],
  [
    'cosigned by {1} so far, which does not reach the quorum',
    'bisher mitsigniert von {1}; das Quorum ist nicht erreicht',
  ],
  ['no witness', 'keinem Zeugen'],
  ['no policy requires an external anchor', 'keine Richtlinie verlangt einen Anker außerhalb'],
  [
    'no policy requires an external anchor, so nothing outside the service attests the log',
    'keine Richtlinie verlangt einen Anker außerhalb, also bezeugt nichts außerhalb des Dienstes das Log',
  ],
  [
    "the policy has only a file on the service's own machine, which is not an external anchor",
    'die Richtlinie hat nur eine Datei auf der Maschine des Dienstes, und die ist kein Anker außerhalb',
  ],
  [
    'the workspace has anchors, but the trust file pins none',
    'der Arbeitsbereich hat Anker, aber die Vertrauensdatei heftet keinen an',
  ],
  [
    'everything that the policy requires attests this checkpoint',
    'alles, was die Richtlinie verlangt, bezeugt diesen Prüfpunkt',
  ],
  ['the anchors are confirmed, the witnesses are still missing', 'die Anker sind bestätigt, die Zeugen fehlen noch'],
  ['the required anchors are not confirmed yet', 'die verlangten Anker sind noch nicht bestätigt'],
  ['{1} ({2} needed)', '{1} ({2} nötig)'],
];
