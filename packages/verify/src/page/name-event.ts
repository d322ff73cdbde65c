import type { WordLanguage } from '@answer-evidence/verify';

const NAMES: Readonly<Record<WordLanguage, ReadonlyMap<string, string>>> = {
  en: new Map([
    ['answer_recorded', 'recorded'],
    ['correction_appended', 'corrected'],
    ['redacted', 'texts redacted'],
    ['retention_extended', 'retention extended'],
    ['text_expired', 'texts expired'],
  ]),
  de: new Map([
    ['answer_recorded', 'aufgezeichnet'],
    ['correction_appended', 'berichtigt'],
    ['voided', 'für ungültig erklärt'],
    ['redacted', 'Texte geschwärzt'],
    ['retention_extended', 'Aufbewahrung verlängert'],
    ['text_expired', 'Texte abgelaufen'],
    ['trace_attached', 'Trace angehängt'],
    ['evidence_linked', 'Beleg verbunden'],
    ['evidence_accessed', 'Beleg abgerufen'],
    ['evidence_registered', 'Beleg aufgenommen'],
    ['evidence_redacted', 'Beleg geschwärzt'],
    ['evidence_expired', 'Beleg abgelaufen'],
  ]),
};

/** What an event or an entry of the log is called. A type that is not known stands as its own words. */
export function nameEvent(type: string, language: WordLanguage): string {
  return NAMES[language].get(type) ?? type.replaceAll('_', ' ');
}
