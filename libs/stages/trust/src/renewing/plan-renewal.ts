import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { TokenEnds } from '@answer-evidence/ports';
import { notAhead } from '../not-ahead.ts';

/** Why tokens are renewed: a certificate ends, or a manager says that an algorithm weakens. */
export type RenewalCause = 'certificate' | 'algorithm';

type RenewalState = {
  /** The tokens since the last renewal, and its own. */
  readonly ends: TokenEnds;
  /** When the last renewal that was confirmed was begun (µs). */
  readonly lastAt: number | undefined;
  /** How long before the end of a certificate its tokens are renewed (µs). */
  readonly leadMicros: number;
  readonly nowMicros: number;
};

/** Each is this much nearer to the end of the certificate than the one before. */
const NEARER = 4;
const NEAREST_MICROS = 3_600 * MICROS_PER_SECOND;

/**
 * Whether tokens are to be renewed now. A certificate makes tokens until its end, so one renewal does not cover them
 * all: they are renewed when its end is nearer than the lead, and again at a fourth of that, and so on up to an hour.
 * Tokens from before their ends were stored are renewed at once.
 */
export function isRenewalDue({ ends, lastAt, leadMicros, nowMicros }: RenewalState): boolean {
  if (ends.tokens === 0) return false;
  if (ends.unknown > 0) return true;
  if (ends.earliest === null) return false;
  const left = ends.earliest - nowMicros;
  if (left > leadMicros) return false;
  let step = leadMicros;
  while (step / NEARER >= NEAREST_MICROS && step / NEARER >= left) step /= NEARER;
  return lastAt === undefined || notAhead(lastAt, nowMicros) < ends.earliest - step;
}
