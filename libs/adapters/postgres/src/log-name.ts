import { createUuidV7 } from '@answer-evidence/encoding';
import type { RandomSource } from '@answer-evidence/ports';

/** Eight hex digits of an id are those of its time, and the same for 65 s; a name that was used is never used again. */
const PREFIX_MS = 2 ** 16;

/** The id of a new log and its name, `<place>/<first 8 hex digits of the id>`, which is none of those in use before. */
export function createLogName(
  random: RandomSource,
  nowMs: number,
  place: string,
  used: readonly string[],
): { readonly logId: string; readonly origin: string } {
  for (let ms = nowMs; ; ms += PREFIX_MS) {
    const logId = createUuidV7(ms, random.bytes(10));
    const origin = `${place}/${logId.slice(0, 8)}`;
    if (!used.includes(origin)) return { logId, origin };
  }
}
