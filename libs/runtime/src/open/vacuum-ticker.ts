import type { Ticker } from '@answer-evidence/ports';
import { isAnythingErased, vacuumErased, type VacuumLimits, type VacuumOutcome } from '@answer-evidence/postgres';
import type { Report } from '../ground/report.ts';
import type { OpenedDatabase } from './open-database.ts';
import type { Pool } from './pool-opener.ts';

const INTERVAL_MS = 10 * 60_000;
const MIB = 1024 * 1024;
/** While a table or a part is written anew, those who need it wait: at 128 MiB for about a second. */
const LIMITS: VacuumLimits = {
  tableBytesMax: 128 * MIB,
  partBytesMax: 256 * MIB,
  logBytesMax: 512 * MIB,
  again: false,
};

/** Vacuums what was erased, in every process, of which one at a time does it; says once what it may or can not do. */
export function vacuumTicker(database: Pick<OpenedDatabase, 'url'>, pool: Pool, report: Report): Ticker {
  const said = new Set<string>();
  return {
    name: 'vacuum-erased',
    intervalMs: INTERVAL_MS,
    async run() {
      if (!(await isAnythingErased(pool))) return;
      for (const line of describeRemains(await vacuumErased(database.url, LIMITS))) {
        if (!said.has(line)) report(line);
        said.add(line);
      }
    },
  };
}

/** What of the erased a run has left in the database's files, a sentence each. */
export function describeRemains(outcome: VacuumOutcome): readonly string[] {
  if (outcome.kind !== 'done') return [];
  const lines = outcome.notRewritten.map(
    (table) =>
      `${table} is too large or too busy to be rewritten; erased data stays in its free pages until they are reused, or until "npm run operator -- erasure-vacuum"`,
  );
  if (outcome.log === 'not-permitted')
    lines.push(
      'the role of DATABASE_URL may not switch the write-ahead log; erased data stays in its files until PostgreSQL reuses them',
    );
  if (outcome.log === 'too-large')
    lines.push(
      'the write-ahead log is too large to be cycled; erased data stays in its files until PostgreSQL reuses them, or until "npm run operator -- erasure-vacuum"',
    );
  return lines;
}
