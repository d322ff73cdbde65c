import type { Pack, PackCheckResult, WordLanguage } from '@answer-evidence/verify';
import { showChecks } from './check-table.ts';
import { element } from './elements.ts';
import { formatTime, showPlain } from './plain-text.ts';

const SAYINGS: Readonly<
  Record<WordLanguage, { readonly unsaid: string; made(at: string, origin: string): string; count(n: number): string }>
> = {
  en: {
    unsaid: 'This pack does not say when it was made.',
    made: (at, origin) =>
      `Its maker says that it was made on ${at} from the log "${origin}". That time is the maker’s word, and so is the ` +
      'choice of records: the log has an entry export_made with the SHA-256 of the file.',
    count: (n) => `It has ${n === 1 ? 'one record' : `${n} records`}.`,
  },
  de: {
    unsaid: 'Diese Beweisdatei sagt nicht, wann sie gemacht wurde.',
    made: (at, origin) =>
      `Nach Angabe dessen, der sie gemacht hat, ist sie vom ${at} und aus dem Log „${origin}“. Diese Zeit ist seine ` +
      'Angabe, ebenso die Auswahl: Das Log hat einen Eintrag export_made mit dem SHA-256 der Datei.',
    count: (n) => (n === 1 ? 'Sie hat eine Aufzeichnung.' : `Sie hat ${n} Aufzeichnungen.`),
  },
};

/** A pack as a whole: what its maker states, and the checks of that. */
export function showPack(
  { manifest, bundles }: Pack,
  checks: readonly PackCheckResult[],
  language: WordLanguage,
): readonly Node[] {
  const sayings = SAYINGS[language];
  const made =
    manifest === undefined
      ? sayings.unsaid
      : sayings.made(formatTime(manifest.madeAt, language), showPlain(manifest.origin));
  return [
    element('p', {}, `${made} ${sayings.count(bundles.length)}`),
    element('div', { className: 'technical' }, showChecks(checks, language)),
  ];
}
