import { FORECAST_MONTHS } from '@answer-evidence/contracts';

const MILLI_MICROS = 1_000;

/** The starts of the months of UTC that follow a time, in microseconds: as many as a forecast shows. */
export function planMonths(nowMicros: number): readonly number[] {
  const now = new Date(nowMicros / MILLI_MICROS);
  return Array.from(
    { length: FORECAST_MONTHS },
    (_, n) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n + 1, 1) * MILLI_MICROS,
  );
}
