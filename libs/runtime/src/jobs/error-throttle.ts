import type { Clock } from '@answer-evidence/ports';

const QUIET_MICROS = 60_000_000;
const REMEMBERED_MAX = 50;

/** Whether an error is worth a log line: an unavailable server causes the same one every few seconds. */
export function createErrorThrottle(clock: Clock): (error: Error) => boolean {
  const told = new Map<string, number>();
  return (error) => {
    const now = clock.nowMicros();
    const key = `${error.name} ${error.message}`;
    const before = told.get(key);
    if (before !== undefined && now - before < QUIET_MICROS) return false;
    if (told.size >= REMEMBERED_MAX) told.clear();
    told.set(key, now);
    return true;
  };
}
