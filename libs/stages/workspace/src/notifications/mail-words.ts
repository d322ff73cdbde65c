import type { MailTerms, NotificationType } from '@answer-evidence/contracts';

type Language = MailTerms['language'];

const WORDS = {
  'record.voided': { en: 'A record was voided', de: 'Eine Aufzeichnung wurde entwertet' },
  'record.redacted': { en: 'A record was redacted', de: 'Eine Aufzeichnung wurde geschwärzt' },
  'run.findings': { en: 'A reconciliation has findings', de: 'Ein Abgleich hat Befunde' },
  'export.made': { en: 'Records were exported', de: 'Aufzeichnungen wurden exportiert' },
  'texts.read_in_bulk': { en: 'Somebody read many texts', de: 'Jemand las viele Texte' },
  'policy.changed': { en: 'The trust policy changed', de: 'Die Vertrauensregeln wurden geändert' },
  'settings.changed': { en: 'The settings changed', de: 'Die Einstellungen wurden geändert' },
  'member.changed': { en: 'A member changed', de: 'Ein Mitglied wurde geändert' },
  'token.revoked': { en: 'A token was revoked', de: 'Ein Token wurde widerrufen' },
  'token.ends': { en: 'A token ends soon', de: 'Ein Token endet bald' },
  'keys.changed': { en: 'A key was added or retired', de: 'Ein Schlüssel kam hinzu oder ging' },
  'anchor.failing': { en: 'An anchor fails', de: 'Ein Anker fällt aus' },
  'anchor.back': { en: 'An anchor is back', de: 'Ein Anker ist zurück' },
  'witness.failing': { en: 'A witness fails', de: 'Ein Zeuge fällt aus' },
  'witness.back': { en: 'A witness is back', de: 'Ein Zeuge ist zurück' },
  'log.unattested': { en: 'Nobody outside vouches for the log', de: 'Niemand außerhalb bürgt für das Log' },
  'log.attested': { en: 'Somebody outside vouches for the log', de: 'Jemand außerhalb bürgt für das Log' },
  'log.stopped': { en: 'The log stopped', de: 'Das Log hielt an' },
  'log.continued': { en: 'The log continued', de: 'Das Log wurde fortgesetzt' },
  'clock.not_believed': { en: 'The clock is not believed', de: 'Der Uhr wird nicht geglaubt' },
  'clock.believed': { en: 'The clock is believed again', de: 'Der Uhr wird wieder geglaubt' },
  'sweep.held': { en: 'An erasure is held back', de: 'Eine Löschung ist angehalten' },
  'sweep.released': { en: 'An erasure is released', de: 'Eine Löschung ist freigegeben' },
  'sweep.confirmed': { en: 'An erasure was confirmed', de: 'Eine Löschung wurde bestätigt' },
  'answers.missing': { en: 'Answers are missing', de: 'Antworten fehlen' },
  'jobs.given_up': { en: 'Jobs were given up', de: 'Aufträge wurden aufgegeben' },
  'findings.overdue': { en: 'Findings are overdue', de: 'Befunde sind überfällig' },
  'telemetry.refused': { en: 'Telemetry was refused', de: 'Telemetrie wurde abgelehnt' },
  'stream.failing': { en: 'A stream fails', de: 'Ein Strom fällt aus' },
  'stream.back': { en: 'A stream is back', de: 'Ein Strom ist zurück' },
  'stream.changed': { en: 'A stream changed', de: 'Ein Strom wurde geändert' },
  'target.changed': { en: 'Notifications changed', de: 'Benachrichtigungen wurden geändert' },
  'target.disabled': { en: 'A target was disabled', de: 'Ein Ziel wurde abgeschaltet' },
  'hold.placed': { en: 'A hold was placed', de: 'Eine Aufbewahrung wurde angeordnet' },
  'hold.released': { en: 'A hold was released', de: 'Eine Aufbewahrung wurde aufgehoben' },
  'approval.requested': { en: 'A second person is asked for', de: 'Eine zweite Person wird gebraucht' },
  'approval.decided': { en: 'A request for a second person ended', de: 'Eine Anfrage an eine zweite Person endete' },
  test: { en: 'Test', de: 'Test' },
};

/** What happened, in a subject: words of the service alone. */
export const TYPE_WORDS: Readonly<Record<NotificationType, Readonly<Record<Language, string>>>> = WORDS;

/** Members of `about` that a mail shows; ids are in the link. */
export const FACT_WORDS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  application_key: { en: 'application', de: 'Anwendung' },
  name: { en: 'name', de: 'Name' },
  username: { en: 'member', de: 'Mitglied' },
  role: { en: 'role', de: 'Rolle' },
  count: { en: 'count', de: 'Anzahl' },
  records: { en: 'records', de: 'Aufzeichnungen' },
  findings: { en: 'findings', de: 'Befunde' },
  readings: { en: 'readings', de: 'Lesungen' },
  version: { en: 'version', de: 'Version' },
  format: { en: 'format', de: 'Format' },
};

/** The rest of what mails say. */
export const MAIL_WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    many: 'notifications',
    more: 'more, which the console lists under Notifications',
    test: 'This is a test; nothing happened.',
    why: 'You get this because a manager confirmed your address for this workspace. To end these mails:',
    whyOwn: 'You get this because you asked for notifications of this workspace. To change or end these mails:',
    confirm: 'Confirm this address',
    code: 'To have notifications of the workspace sent to this address, enter this code within a day:',
    ignore: 'If you did not ask for this, ignore it: nothing more is sent.',
  },
  de: {
    many: 'Benachrichtigungen',
    more: 'weitere, die die Konsole unter Benachrichtigungen nennt',
    test: 'Dies ist ein Test; nichts ist geschehen.',
    why: 'Diese Nachricht kommt, weil Ihre Adresse für diesen Arbeitsbereich bestätigt wurde. Abbestellen:',
    whyOwn: 'Diese Nachricht kommt, weil Sie Benachrichtigungen dieses Arbeitsbereichs gewählt haben. Ändern:',
    confirm: 'Bestätigen Sie diese Adresse',
    code: 'Damit Benachrichtigungen des Arbeitsbereichs hierher kommen, geben Sie binnen eines Tages diesen Code ein:',
    ignore: 'Haben Sie das nicht veranlasst, so ignorieren Sie es: mehr wird nicht gesendet.',
  },
};
