import type { TargetReason } from '@answer-evidence/contracts';
import type { DeliveryOutcome } from '@answer-evidence/ports';

/** Pauses after the first, second, … failure, in seconds; the last one from then on. */
const PAUSES_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400] as const;
/** How often one notification is refused before it is given up. */
export const REFUSALS_MAX = 12;
/** How long nothing may arrive before the target is disabled: three days. */
export const DOWN_MICROS_MAX = 3 * 86_400_000_000;
/** What a receiver may hold against this one notification; anything else is about the target. */
const REFUSALS: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);
const GONE = 410;

/** What is known when an attempt has ended. */
type Attempted = {
  /** Null: no usable response. */
  readonly status: number | null;
  readonly error: string;
  /** Earlier attempts at this delivery, since it was last made due. */
  readonly attempts: number;
  /** Failures of the target in a row, before this one. */
  readonly failures: number;
  readonly failingSince: number | null;
  readonly nowMicros: number;
  /** From 0 up to 1. */
  readonly chance: number;
};

/** What follows from an attempt. */
export function planRetry(attempted: Attempted): DeliveryOutcome {
  const { status, error, attempts, failures, failingSince, nowMicros, chance } = attempted;
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered', status };
  const failed = { kind: 'failed', status, error, disabledFor: disabledFor(status, failingSince, nowMicros) } as const;
  if (status === null || !REFUSALS.has(status))
    return { ...failed, dueAt: nowMicros, pausedUntil: nowMicros + pauseMicros(failures, chance) };
  const isGivenUp = attempts + 1 >= REFUSALS_MAX;
  return { ...failed, dueAt: isGivenUp ? undefined : nowMicros + pauseMicros(attempts, chance), pausedUntil: 0 };
}

function disabledFor(status: number | null, failingSince: number | null, nowMicros: number): TargetReason | undefined {
  if (status === GONE) return 'gone';
  return failingSince !== null && nowMicros - failingSince >= DOWN_MICROS_MAX ? 'down' : undefined;
}

/** Spread over the upper half of the pause, so that what failed together does not come again together. */
function pauseMicros(failures: number, chance: number): number {
  const seconds = PAUSES_SECONDS[Math.min(failures, PAUSES_SECONDS.length - 1)] ?? 0;
  return Math.round(seconds * (0.5 + chance / 2) * 1_000_000);
}
