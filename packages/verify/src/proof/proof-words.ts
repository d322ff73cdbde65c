import type { WordLanguage } from '@answer-evidence/verify';

const ENGLISH = {
  opening: 'Opening…',
  incomplete: 'This link is not complete. Open the whole link that you were given.',
  unknown: 'This link is not valid. Open the whole link that you were given, or ask for another one.',
  expired: 'This link has expired. Ask for another one where you got it.',
  revoked: 'This link was revoked. Ask for another one where you got it.',
  redacted: 'The record behind this link was redacted. Its texts no longer exist, and there is nothing to show.',
  busy: 'Too many links were opened from your network. Wait a minute, and try again.',
  failed: 'The record cannot be shown now. Try again later.',
  unreadable: 'What this host sent cannot be read, so nothing is shown. Try again later.',
  shownBy: '{workspace} shows you this record until {at}. Your browser has verified it just now.',
  commitmentsBy:
    '{workspace} shows you until {at} that this answer is recorded, and no text of it. Your browser has verified it ' +
    'just now.',
  technical: 'All checks, times and keys',
  holds: 'The log holds the record and what became of it as shown here, by the keys below.',
  fails: 'Something shown here is not what the log holds. The checks below say what.',
  keys: 'Keys of the log',
  keysSay:
    'They came from this host too. To depend on its word for nothing, compare the fingerprints with their owner over ' +
    'another channel, or give the saved files to a verifier from another source.',
  saveBundle: 'Save the proof of this record',
  saveTrust: 'Save the trust file',
  application: 'Application',
  recorded: 'Recorded at',
  questionHash: 'Commitment to the question',
  answerHash: 'Commitment to the answer',
  compareTitle: 'Compare a text that you have',
  compareSay: 'Paste the question or the answer exactly as you have it. It does not leave this device.',
  compare: 'Compare',
  isQuestion: 'It is the question that was recorded, character by character.',
  isAnswer: 'It is the answer that was recorded, character by character.',
  isCorrection: 'It is the text of a correction that was recorded, character by character.',
  isNone: 'It is neither the question nor the answer that was recorded. One other character makes another text.',
  keyed: 'Texts of this record are bound by a key of the workspace: only the workspace can compare them.',
  differs: 'A core does not match its entry in the log.',
  core: 'The content of the entry is the one that the log commits to.',
} as const;

/** The texts of the page of a link beside those of every page. */
export type ProofWords = { readonly [Label in keyof typeof ENGLISH]: string };

const GERMAN: ProofWords = {
  opening: 'Wird geöffnet …',
  incomplete: 'Dieser Link ist nicht vollständig. Öffnen Sie den ganzen Link, den Sie bekommen haben.',
  unknown:
    'Dieser Link ist nicht gültig. Öffnen Sie den ganzen Link, den Sie bekommen haben, oder bitten Sie um einen neuen.',
  expired: 'Dieser Link ist abgelaufen. Bitten Sie den, der ihn Ihnen gab, um einen neuen.',
  revoked: 'Dieser Link wurde widerrufen. Bitten Sie den, der ihn Ihnen gab, um einen neuen.',
  redacted:
    'Die Aufzeichnung hinter diesem Link wurde geschwärzt. Ihre Texte gibt es nicht mehr, und es ist nichts zu zeigen.',
  busy: 'Aus Ihrem Netz wurden zu viele Links geöffnet. Warten Sie eine Minute, und versuchen Sie es noch einmal.',
  failed: 'Die Aufzeichnung lässt sich gerade nicht zeigen. Versuchen Sie es später noch einmal.',
  unreadable:
    'Was dieser Host gesendet hat, ist nicht lesbar, deshalb wird nichts gezeigt. Versuchen Sie es später noch einmal.',
  shownBy: '{workspace} zeigt Ihnen diese Aufzeichnung bis {at}. Ihr Browser hat sie eben geprüft.',
  commitmentsBy:
    '{workspace} zeigt Ihnen bis {at}, dass diese Antwort aufgezeichnet ist, und keinen Text von ihr. Ihr Browser hat ' +
    'es eben geprüft.',
  technical: 'Alle Prüfungen, Zeiten und Schlüssel',
  holds: 'Das Log enthält die Aufzeichnung und was aus ihr wurde, wie es hier steht, nach den Schlüsseln unten.',
  fails: 'Etwas, das hier steht, ist nicht das, was das Log enthält. Die Prüfungen unten sagen, was.',
  keys: 'Schlüssel des Logs',
  keysSay:
    'Auch sie kamen von diesem Host. Wollen Sie sich in nichts auf ihn verlassen, so vergleichen Sie die ' +
    'Fingerabdrücke auf anderem Weg mit dem Eigentümer, oder geben Sie die gespeicherten Dateien einem anderen ' +
    'Prüfprogramm.',
  saveBundle: 'Beweis dieser Aufzeichnung speichern',
  saveTrust: 'Vertrauensdatei speichern',
  application: 'Anwendung',
  recorded: 'Aufgezeichnet am',
  questionHash: 'Bindung an die Frage',
  answerHash: 'Bindung an die Antwort',
  compareTitle: 'Einen Text vergleichen, den Sie haben',
  compareSay: 'Fügen Sie die Frage oder die Antwort genau so ein, wie Sie sie haben. Sie verlässt dieses Gerät nicht.',
  compare: 'Vergleichen',
  isQuestion: 'Das ist die Frage, die aufgezeichnet wurde, Zeichen für Zeichen.',
  isAnswer: 'Das ist die Antwort, die aufgezeichnet wurde, Zeichen für Zeichen.',
  isCorrection: 'Das ist der Text einer Korrektur, die aufgezeichnet wurde, Zeichen für Zeichen.',
  isNone:
    'Das ist weder die Frage noch die Antwort, die aufgezeichnet wurde. Schon ein anderes Zeichen macht einen anderen ' +
    'Text.',
  keyed: 'Die Texte dieser Aufzeichnung bindet ein Schlüssel des Arbeitsbereichs: Nur er kann sie vergleichen.',
  differs: 'Der Inhalt eines Eintrags stimmt nicht mit dem Log überein.',
  core: 'Der Inhalt des Eintrags ist der, den das Log bindet.',
};

export const PROOF_WORDS: Readonly<Record<WordLanguage, ProofWords>> = { en: ENGLISH, de: GERMAN };
