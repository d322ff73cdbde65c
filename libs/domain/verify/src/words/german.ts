import { nameChecks } from './name-checks.ts';
import type { Words } from './words-of.ts';

/** The verifier's words in German. */
export const GERMAN: Words = {
  no_verdict: 'Jede Prüfung hat ein eigenes Ergebnis; ein Urteil über alle zusammen gibt es nicht.',
  never: 'Keine Prüfung zeigt, dass die Antwort richtig ist, dass sie zugestellt oder dass sonst nichts gesagt wurde.',
  may_be_said: 'Was sich über diese Aufzeichnung sagen lässt',
  outcomes: {
    FAIL: 'hier nachgerechnet, und es stimmt nicht überein',
    PASS: 'hier nachgerechnet, und es stimmt überein',
    SKIP: 'ist anwendbar, aber das Vorliegende entscheidet es nicht',
    NA: 'trifft auf diese Aufzeichnung nicht zu',
  },
  states: {
    fails: 'trifft nicht zu',
    partly: 'trifft teilweise zu',
    open: 'nicht entschieden',
    holds: 'trifft zu',
    none: 'nicht anwendbar',
  },
  groups: {
    text: {
      name: 'Text',
      fails:
        'Ein Text stimmt nicht mit der Aufzeichnung überein: Er wurde geändert, oder er fehlt oder steht ohne Grund da.',
      partly: 'Die vorliegenden Texte passen zu ihren Hashes in der Aufzeichnung; andere liegen nicht vor.',
      open: 'Die Texte liegen nicht vor; über sie wird nichts gesagt.',
      holds: 'Jeder Text passt zu seinem Hash in der Aufzeichnung.',
      none: 'Es gibt keinen Text zu vergleichen: Er wurde gelöscht, oder nur sein Hash wurde aufgezeichnet.',
    },
    record: {
      name: 'Aufzeichnung',
      fails: 'Die Aufzeichnung oder etwas, das sie nennt, wurde nachträglich geändert.',
      partly: 'Kein Feld der Aufzeichnung wurde geändert; nicht alles, was sie nennt, ließ sich vergleichen.',
      open: 'Ob die Aufzeichnung geändert wurde, ist nicht entschieden.',
      holds: 'Kein Feld der Aufzeichnung wurde nachträglich geändert.',
      none: 'Über die Aufzeichnung ist nichts angegeben.',
    },
    history: {
      name: 'Verlauf',
      fails: 'Der Verlauf ist unterbrochen oder unvollständig, oder er führt nicht zum angegebenen Status.',
      partly: 'Der gezeigte Verlauf ist lückenlos. Ob ein Ereignis fehlt, ist nicht entschieden: Das braucht das Log.',
      open: 'Ob später noch etwas geschah, ist nicht entschieden: Das braucht das Log.',
      holds: 'Der Verlauf ist lückenlos, und das Log enthält kein weiteres Ereignis zu dieser Aufzeichnung.',
      none: 'Über einen Verlauf ist nichts angegeben.',
    },
    log: {
      name: 'Log',
      fails:
        'Die Aufzeichnung steht nicht an ihrer Stelle im Log, oder das Log ist nicht mit einem Schlüssel signiert, ' +
        'dem Sie vertrauen.',
      partly:
        'Die Aufzeichnung steht in einem Log, das mit einem Schlüssel signiert ist, dem Sie vertrauen. ' +
        'Nicht das ganze Log wurde verglichen.',
      open: 'Wer das Log signiert hat, ist nicht entschieden: Geben Sie eine Vertrauensdatei an.',
      holds:
        'Die Aufzeichnung steht in einem Log, das mit einem Schlüssel signiert ist, dem Sie vertrauen, ' +
        'und das Log ist in Ordnung.',
      none: 'Über ein Log ist nichts angegeben.',
    },
    outside: {
      name: 'Außen',
      fails: 'Was Außenstehende bezeugen oder eine Liste der Anwendung enthält, widerspricht diesem Beleg.',
      partly: 'Außenstehende bezeugen das Log. Ein verlangtes Zeugnis fehlt oder ist unklar.',
      open: 'Ein Zeugnis von außen fehlt noch oder ließ sich nicht prüfen.',
      holds: 'Außenstehende bezeugen das Log mit dieser Aufzeichnung.',
      none: 'Kein Außenstehender bezeugt dieses Log: Es gilt allein das Wort des Betreibers.',
    },
  },
  level_states: { said: 'lässt sich sagen', open: 'hier nicht gezeigt', denied: 'eine Prüfung spricht dagegen' },
  levels: {
    signed: {
      name: 'Signiert',
      said: 'Der Betreiber hat ein Log signiert, das die Hashes dieser Aufzeichnung enthält.',
      not_proved: 'Der Betreiber kann anderen ein anderes Log gezeigt oder später signiert haben als angegeben.',
    },
    witnessed: {
      name: 'Bezeugt',
      said: 'Zeugen haben dieses Log gesehen, und es ist zwischen ihren Besuchen nur gewachsen.',
      not_proved: 'Ob die Zeugen vom Betreiber unabhängig sind, beurteilt der Leser.',
    },
    anchored: {
      name: 'Verankert',
      said: 'Ein Außenstehender bezeugt, dass es das Log mit dieser Aufzeichnung spätestens zu der Zeit gab, die er nennt.',
      not_proved: 'Was davor war, beruht auf dem Wort des Betreibers.',
    },
    compared: {
      name: 'Mit einer Liste verglichen',
      said: 'Eine Liste der Anwendung wurde mit dem Log verglichen, und nichts sprach gegen diese Aufzeichnung.',
      not_proved: 'Ob die Liste vollständig war, weiß nur, wer sie gemacht hat.',
    },
  },
  marks: {
    differs: 'stimmt nicht mit dem Aufgezeichneten überein',
    matches: 'stimmt mit dem Aufgezeichneten überein',
    unchecked: 'nicht geprüft',
  },
  checks: nameChecks(
    {
      question_commitment: 'Text der Frage',
      answer_commitment: 'Text der Antwort',
      corrections: 'Texte der Berichtigungen',
      source_refs: 'Quellen',
      semantic_refs: 'Semantische Verweise',
      trace_refs: 'Angehängte Traces',
      record_hash: 'Felder der Aufzeichnung',
      event_chain: 'Kette der Ereignisse',
      event_completeness: 'Kein Ereignis ausgelassen',
      status_derivation: 'Status',
      leaf_entry: 'Zeilen des Logs',
      log_order: 'Reihenfolge des Logs',
      merkle_inclusion: 'Platz im Log',
      checkpoint_signature: 'Signatur des Logs',
      checkpoint_consistency: 'Eine Geschichte des Logs',
      receipt: 'Ihre eigene Quittung',
      evidence_binding: 'Abgerufene Belege',
      reconciliation: 'Liste der Anwendung',
      witness_cosignatures: 'Zeugen',
      external_anchor: 'Anker',
      anchored: 'Was die Richtlinie verlangt',
    },
    {
      question_commitment: 'Nicht, dass jemand dies fragte; nur, dass die Anwendung diese Frage einreichte.',
      answer_commitment:
        'Nicht, dass die Antwort wahr ist oder zugestellt wurde; nur, dass die Anwendung sie einreichte.',
      corrections: 'Nicht, dass eine Berichtigung richtig ist; nur, dass ihr Text zu seinem Hash passt.',
      source_refs: 'Nicht, dass diese Quellen benutzt wurden oder dies sagen; nur, dass die Anwendung sie nannte.',
      semantic_refs: 'Nicht, dass diese Verweise etwas bedeuten; nur, dass die Anwendung sie nannte.',
      trace_refs: 'Nicht, dass ein Trace wahr ist; nur, dass der Dienst ihn mit der Aufzeichnung verband.',
      record_hash: 'Nicht, dass die Angaben wahr sind; nur, dass sie seitdem nicht geändert wurden.',
      event_chain: 'Nicht, dass die Kette am Ende vollständig ist; das prüft event_completeness.',
      event_completeness: 'Nicht, dass nach dem Prüfpunkt oder außerhalb des Dienstes nichts geschah.',
      status_derivation: 'Nicht, dass der Status noch derselbe ist; es ist der zur Zeit des Prüfpunkts.',
      leaf_entry: 'Nicht, dass die Zeiten richtig sind; nur, dass der Dienst sie aufsteigend angibt.',
      log_order: 'Nicht, dass die Zeiten richtig sind; nur, dass jede zwischen denen daneben liegt.',
      merkle_inclusion: 'Nicht, dass andere denselben Baum sahen; das brauchte Zeugen oder Anker.',
      checkpoint_signature:
        'Nicht, dass der Unterzeichner allen dieselbe Geschichte zeigt; das brauchte Zeugen oder Anker.',
      checkpoint_consistency:
        'Nicht, dass niemand einen anderen Baum sah; nur, dass diese Bäume zu einer Geschichte gehören.',
      receipt: 'Nicht, dass andere Aufzeichnungen noch da sind; nur, dass das Log den Baum dieser Quittung fortsetzt.',
      evidence_binding:
        'Nicht, dass der Beleg wahr ist oder für die Antwort benutzt wurde; nur, dass er vorher abgerufen wurde.',
      reconciliation: 'Nicht, dass die Liste vollständig ist.',
      witness_cosignatures: 'Nicht, dass die Zeugen vom Dienst unabhängig sind; das beurteilt der Leser.',
      external_anchor: 'Nicht, dass die Aufzeichnung wahr ist; nur, dass es den Baum spätestens beim Anker gab.',
      anchored: 'Nicht, dass die Aufzeichnung wahr ist; nur, dass Außenstehende den Prüfpunkt bezeugen.',
    },
  ),
};
