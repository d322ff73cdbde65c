import type { Ticker } from '@answer-evidence/ports';
import { isAnyPartLarge, keepSealedParts, type PartLimits } from '@answer-evidence/postgres';
import type { Report } from '../ground/report.ts';
import type { OpenedDatabase } from './open-database.ts';
import type { Pool } from './pool-opener.ts';

const INTERVAL_MS = 30_000;
const MIB = 1024 * 1024;
/** Everybody waits while a part is read through, at these sizes for about a second. */
const LIMITS: PartLimits = {
  endBytes: 128 * MIB,
  partBytesMax: 192 * MIB,
  stepBytes: 96 * MIB,
  lockedBytesMax: 4_096 * MIB,
};
/** What the operator's command makes everybody wait for, however long it takes. */
export const WHATEVER_IT_TAKES: PartLimits = { ...LIMITS, lockedBytesMax: Infinity };

/** Keeps the parts of sealed contents small, in every process, of which one at a time does it. */
export function partsTicker(database: Pick<OpenedDatabase, 'url'>, pool: Pool, report: Report): Ticker {
  const said = new Set<string>();
  return {
    name: 'sealed-parts',
    intervalMs: INTERVAL_MS,
    async run() {
      if (!(await isAnyPartLarge(pool, LIMITS))) return;
      const { tooLarge } = await keepSealedParts(database.url, LIMITS);
      for (const part of tooLarge) {
        if (!said.has(part))
          report(`${part} is too large to be divided while it is used; run "npm run operator -- erasure-vacuum" once`);
        said.add(part);
      }
    },
  };
}
