import { type DeadLetterReason, ServiceError } from '@answer-evidence/contracts';
import { StoredDamageError, VaultError } from '@answer-evidence/ports';

const FIRST_PAUSE_MS = 2_000;
const PAUSE_MS_MAX = 15 * 60_000;

/** What becomes of a job whose attempt has failed. */
export type Judgement =
  | { readonly kind: 'stop-process'; readonly error: ServiceError }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'give-up'; readonly reason: DeadLetterReason };

/** Decides about failed attempt `number` (from 1); `chance` in [0, 1) spreads the upper half of each pause. */
export function judgeFailure(error: unknown, number: number, attemptsMax: number, chance: number): Judgement {
  if (error instanceof ServiceError) {
    if (error.remedy === 'stop-process') return { kind: 'stop-process', error };
    const isHopeless = error.remedy === 'give-up' || error.remedy === 'fix-request';
    if (isHopeless || number >= attemptsMax)
      return { kind: 'give-up', reason: { code: error.code, detail: error.message } };
  } else if (error instanceof StoredDamageError || error instanceof VaultError) {
    // No further attempt finds what is lost.
    const detail = 'what is stored of this cannot be read or was altered; run a ledger check, which names it';
    return { kind: 'give-up', reason: { code: 'content_damaged', detail } };
  } else if (number >= attemptsMax) {
    // Messages of other errors may quote what they failed on.
    const name = error instanceof Error && /^[A-Za-z]{1,60}$/.test(error.name) ? error.name : 'Error';
    return {
      kind: 'give-up',
      reason: { code: 'internal', detail: `failed ${number} times, most recently with an unexpected ${name}` },
    };
  }
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (number - 1), PAUSE_MS_MAX);
  return { kind: 'retry', afterMs: Math.round(pauseMs * (0.5 + chance / 2)) };
}

/** Why a job is given up that never came back from any of its attempts: it may be what ends the processes. */
export function neverCameBack(attempts: number): DeadLetterReason {
  return { code: 'internal', detail: `started ${attempts} times, and each time the process ended before it was done` };
}
