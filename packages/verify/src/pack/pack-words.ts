import type { WordLanguage } from '@answer-evidence/verify';

const ENGLISH = {
  byOwnKeys: 'Only by the keys that this file brought: compare their fingerprints, or give your own trust file.',
  progress: 'Verifying record {n} of {all}…',
  save: 'Save the bundle of this record',
  notUsed: '{name} is not used: this page verifies its own records alone.',
  keysBrought: 'Keys that this file brought',
  keysProve:
    'They prove nothing by themselves: anyone can make a log, sign it and bring its keys along. Compare each ' +
    'fingerprint with its owner by telephone or on paper, or give this page your own trust file.',
  keysOwn: 'Keys of your trust file {name}',
  keysUsed: 'All checks below were made with these keys.',
  parties: 'Who is involved',
  applications: 'Applications that answered',
  recipient: 'Made for, by the word of its maker',
  purpose: 'Purpose, by the word of its maker',
  operator: 'Operator, by its own name',
  log: 'Log of the operator',
  made: 'Made on, by the word of its maker',
  link: 'Scan this code or open the link to see the record on the page of its operator, until {at}.',
  linkQr: 'QR code of the page of this record',
  contents: 'Records in this pack',
  number: 'No.',
  application: 'Application and time',
  texts: 'Texts',
  says: 'What may be said',
  nothing: 'nothing',
  unreadable: 'not readable',
  appendix: 'Appendix',
  theChecks: 'The checks',
  outcomes: 'Outcomes by record',
  legend: 'The numbers are those of the checks above.',
  findings: 'What was found, apart from PASS',
  records: 'Records',
  checkpoints: 'Checkpoints',
  checkpoint: 'Checkpoint: the log, its size and its hash. The code holds these three lines.',
  qr: 'QR code of the checkpoint',
  page: 'Page',
} as const;

/** The labels of a pack beside those of every page. */
export type PackWords = { readonly [Label in keyof typeof ENGLISH]: string };

const GERMAN: PackWords = {
  byOwnKeys:
    'Nur nach den Schlüsseln, die diese Datei mitbrachte: Vergleichen Sie deren Fingerabdrücke, oder geben Sie Ihre ' +
    'eigene Vertrauensdatei an.',
  progress: 'Aufzeichnung {n} von {all} wird geprüft …',
  save: 'Beweispaket dieser Aufzeichnung speichern',
  notUsed: '{name} wird nicht verwendet: Diese Seite prüft nur ihre eigenen Aufzeichnungen.',
  keysBrought: 'Schlüssel, die diese Datei mitbrachte',
  keysProve:
    'Sie beweisen für sich nichts: Jeder kann ein Log machen, signieren und die Schlüssel beilegen. Vergleichen Sie ' +
    'jeden Fingerabdruck am Telefon oder auf Papier mit dem Eigentümer, oder geben Sie Ihre eigene Vertrauensdatei an.',
  keysOwn: 'Schlüssel Ihrer Vertrauensdatei {name}',
  keysUsed: 'Alle Prüfungen unten wurden mit diesen Schlüsseln gemacht.',
  parties: 'Beteiligte',
  applications: 'Anwendungen, die antworteten',
  recipient: 'Gemacht für, nach Angabe dessen, der sie machte',
  purpose: 'Zweck, nach Angabe dessen, der sie machte',
  operator: 'Betreiber, nach eigenem Namen',
  log: 'Log des Betreibers',
  made: 'Gemacht am, nach Angabe dessen, der sie machte',
  link: 'Scannen Sie den Code oder öffnen Sie den Link: Die Seite des Betreibers zeigt diese Aufzeichnung bis {at}.',
  linkQr: 'QR-Code der Seite dieser Aufzeichnung',
  contents: 'Aufzeichnungen in dieser Datei',
  number: 'Nr.',
  application: 'Anwendung und Zeit',
  texts: 'Texte',
  says: 'Was sich sagen lässt',
  nothing: 'nichts',
  unreadable: 'nicht lesbar',
  appendix: 'Anhang',
  theChecks: 'Die Prüfungen',
  outcomes: 'Ergebnisse je Aufzeichnung',
  legend: 'Die Nummern sind die der Prüfungen oben.',
  findings: 'Was gefunden wurde, außer PASS',
  records: 'Aufzeichnungen',
  checkpoints: 'Prüfpunkte',
  checkpoint: 'Prüfpunkt: das Log, seine Größe und sein Hash. Der Code enthält diese drei Zeilen.',
  qr: 'QR-Code des Prüfpunkts',
  page: 'Seite',
};

export const PACK_WORDS: Readonly<Record<WordLanguage, PackWords>> = { en: ENGLISH, de: GERMAN };
