import type { WordLanguage } from './words.ts';

/** What happened to a record, in the order of the log. */
export type StoryStep = {
  readonly type: 'correction_appended' | 'voided' | 'redacted' | 'retention_extended' | 'text_expired';
  /** The time, as its reader wants it. */
  readonly at: string;
  /** Why, already safe to be shown; left out where it is not known. */
  readonly reason?: string | undefined;
};

/** Whether parties outside of the service vouch for the log; undefined where nobody said. */
export type Vouching = { readonly witnessed: boolean; readonly anchored: boolean };

type Story = {
  readonly application: string;
  readonly at: string;
  readonly steps: readonly StoryStep[];
  /** Whether the texts are gone by something that is none of the steps. */
  readonly isExpired?: boolean | undefined;
  readonly vouching?: Vouching | undefined;
};

type Phrases = {
  readonly recorded: (application: string, at: string) => string;
  readonly steps: Readonly<Record<StoryStep['type'], (at: string) => string>>;
  readonly because: (reason: string) => string;
  readonly holds: Readonly<Record<'none' | 'correction' | 'original', string>>;
  readonly gone: string;
  readonly vouching: Readonly<Record<'both' | 'witnessed' | 'anchored' | 'nobody', string>>;
};

const PHRASES: Readonly<Record<WordLanguage, Phrases>> = {
  en: {
    recorded: (application, at) => `Recorded by ${application} on ${at}`,
    steps: {
      correction_appended: (at) => `corrected on ${at}`,
      voided: (at) => `voided on ${at}`,
      redacted: (at) => `its texts were redacted on ${at}`,
      retention_extended: (at) => `kept longer since ${at}`,
      text_expired: (at) => `its texts expired on ${at}`,
    },
    because: (reason) => ` (“${reason}”)`,
    holds: {
      none: 'No answer holds.',
      correction: 'The last correction holds.',
      original: 'No correction is shown: the original holds.',
    },
    gone: 'The texts are gone.',
    vouching: {
      both: 'Witnessed and anchored.',
      witnessed: 'Witnessed, not anchored.',
      anchored: 'Anchored, not witnessed.',
      nobody: 'Nobody outside of the service vouches for it yet.',
    },
  },
  de: {
    recorded: (application, at) => `Aufgezeichnet von ${application} am ${at}`,
    steps: {
      correction_appended: (at) => `berichtigt am ${at}`,
      voided: (at) => `für ungültig erklärt am ${at}`,
      redacted: (at) => `Texte geschwärzt am ${at}`,
      retention_extended: (at) => `länger aufbewahrt seit ${at}`,
      text_expired: (at) => `Texte abgelaufen am ${at}`,
    },
    because: (reason) => ` („${reason}“)`,
    holds: {
      none: 'Keine Antwort gilt.',
      correction: 'Die letzte Berichtigung gilt.',
      original: 'Keine Berichtigung ist zu sehen: Das Original gilt.',
    },
    gone: 'Die Texte sind nicht mehr da.',
    vouching: {
      both: 'Bezeugt und verankert.',
      witnessed: 'Bezeugt, nicht verankert.',
      anchored: 'Verankert, nicht bezeugt.',
      nobody: 'Noch bürgt niemand außerhalb des Dienstes dafür.',
    },
  },
};

/**
 * What happened to a record and who vouches for it, in a few words. Every event counts, and not the last one alone: a
 * record that was corrected, voided and redacted says all of it.
 */
export function tellStory(
  { application, at, steps, isExpired = false, vouching }: Story,
  language: WordLanguage,
): string {
  const phrases = PHRASES[language];
  const told = steps.map(
    ({ type, at: when, reason }) => phrases.steps[type](when) + (reason === undefined ? '' : phrases.because(reason)),
  );
  const happened = [phrases.recorded(application, at), ...told].join(', ');
  return [
    `${happened}.`,
    phrases.holds[findHolding(steps)],
    ...(isExpired || areTextsGone(steps) ? [phrases.gone] : []),
    ...(vouching === undefined ? [] : [phrases.vouching[nameVouching(vouching)]]),
  ].join(' ');
}

/** Which answer holds after these events. Erasing a text does not make another one hold. */
export function findHolding(steps: readonly { readonly type: string }[]): 'none' | 'correction' | 'original' {
  if (steps.some(({ type }) => type === 'voided')) return 'none';
  return steps.some(({ type }) => type === 'correction_appended') ? 'correction' : 'original';
}

function areTextsGone(steps: readonly StoryStep[]): boolean {
  return steps.some(({ type }) => type === 'redacted' || type === 'text_expired');
}

function nameVouching({ witnessed, anchored }: Vouching): 'both' | 'witnessed' | 'anchored' | 'nobody' {
  if (witnessed) return anchored ? 'both' : 'witnessed';
  return anchored ? 'anchored' : 'nobody';
}
