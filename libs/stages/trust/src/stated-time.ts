import { formatTimestamp, MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { TIME_TOLERANCE_MICROS } from '@answer-evidence/verify';

/** What contradicts the time that a party stated, as a clause; undefined when it lies between question and answer. */
export function describeWrongTime(stated: number, earliest: number, latest: number): string | undefined {
  if (stated >= earliest - TIME_TOLERANCE_MICROS && stated <= latest + TIME_TOLERANCE_MICROS) return undefined;
  const [from, to] = [formatTimestamp(earliest), formatTimestamp(latest)];
  const tolerance = TIME_TOLERANCE_MICROS / MICROS_PER_SECOND;
  return `it states ${formatTimestamp(stated)}, outside of ${from} to ${to} with a tolerance of ${tolerance} seconds`;
}
