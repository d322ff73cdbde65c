import { memberOf } from '@answer-evidence/encoding';
import type { WordLanguage } from '@answer-evidence/verify';
import { readTimeline } from './read-timeline.ts';

type Reason = 'redacted' | 'expired' | 'discarded' | 'not_submitted' | 'unknown';
type What = 'question' | 'answer';

const WITHHELD: Readonly<Record<WordLanguage, string>> = {
  en:
    'This file was made without the texts of question, answer and corrections, because the party that made it wanted ' +
    'it so. Their hashes are in it. Checks that compare a text with its hash are therefore not decided: they are SKIP, ' +
    'and not FAIL. A file with the texts decides them.',
  de:
    'Diese Datei wurde ohne die Texte von Frage, Antwort und Berichtigungen gemacht, weil es so gewünscht war. Ihre ' +
    'Hashes sind darin. Prüfungen, die einen Text mit seinem Hash vergleichen, sind deshalb nicht entschieden: Sie sind ' +
    'SKIP und nicht FAIL. Eine Datei mit den Texten entscheidet sie.',
};

const NAMES: Readonly<Record<WordLanguage, Readonly<Record<What, string>>>> = {
  en: { question: 'The text of the question', answer: 'The text of the answer' },
  de: { question: 'Der Text der Frage', answer: 'Der Text der Antwort' },
};

const REASONS: Readonly<Record<WordLanguage, Readonly<Record<Reason, string>>>> = {
  en: {
    redacted: 'was redacted; its hash stays',
    expired: 'has expired; its hash stays',
    discarded: 'was not stored; only its hash was',
    not_submitted: 'was never sent to the service; only its hash was',
    unknown: 'is in a state that this page does not know',
  },
  de: {
    redacted: 'wurde geschwärzt; sein Hash bleibt',
    expired: 'ist abgelaufen; sein Hash bleibt',
    discarded: 'wurde nicht gespeichert, nur sein Hash',
    not_submitted: 'wurde nie an den Dienst gesandt, nur sein Hash',
    unknown: 'ist in einem Zustand, den diese Seite nicht kennt',
  },
};

/** Why a bundle does not show the text of its question or its answer, in words. Whether that is so, the checks say. */
export function explainMissing(bundle: unknown, language: WordLanguage): readonly string[] {
  if (memberOf(bundle, 'format') === 'answer-evidence-bundle/v2') return [WITHHELD[language]];
  const record = memberOf(bundle, 'record');
  return (['question', 'answer'] as const).flatMap((what) => {
    if (memberOf(memberOf(record, 'disclosed'), what) !== null) return [];
    const reason = findReason(bundle, memberOf(memberOf(memberOf(record, 'core'), what), 'text_state'));
    return [`${NAMES[language][what]} ${REASONS[language][reason]}.`];
  });
}

function findReason(bundle: unknown, state: unknown): Reason {
  if (state === 'discarded' || state === 'not_submitted') return state;
  if (state !== 'stored') return 'unknown';
  const types = readTimeline(bundle).map(({ type }) => type);
  if (types.includes('redacted')) return 'redacted';
  return types.includes('text_expired') ? 'expired' : 'unknown';
}
