import { type Finding, judgeSurroundings } from '@answer-evidence/ports';
import {
  type ConnectionDemand,
  DATABASE_CHECKS,
  DatabaseSetupError,
  readDatabaseFacts,
} from '@answer-evidence/postgres';
import type { Config } from '../ground/config.ts';
import type { Pool } from './pool-opener.ts';

/** How many connections a process opens at most: its pools, the tickers' own, and one that asks for the pulse. */
const CONNECTIONS = 45;
/** With its queues in PostgreSQL: a pool more. */
const QUEUE_CONNECTIONS = 7;

/** What processes with these settings may open. */
export function demandOf(config: Config, processes: number): ConnectionDemand {
  return { perProcess: CONNECTIONS + (config.REDIS_URL === undefined ? QUEUE_CONNECTIONS : 0), processes };
}

/** Every finding of a database, over a connection of its owner. */
export async function inspectDatabase(owner: Pool, url: string, demand: ConnectionDemand): Promise<readonly Finding[]> {
  return judgeSurroundings(DATABASE_CHECKS, {
    facts: await readDatabaseFacts(owner, url, () => Date.now()),
    demand,
  });
}

/**
 * Checks the database of `DATABASE_URL` before anything is written to it. Throws `DatabaseSetupError` for what refuses;
 * the result are the sentences of the others. The embedded one is the service's own.
 */
export async function checkDatabase(config: Config, owner: Pool, url: string): Promise<readonly string[]> {
  if (config.DATABASE_URL === undefined) return [];
  const findings = await inspectDatabase(owner, url, demandOf(config, 1));
  const refused = findings.find(({ outcome }) => outcome === 'FAIL');
  if (refused !== undefined) throw new DatabaseSetupError(refused.text);
  return findings.filter(({ outcome }) => outcome === 'WARN').map(({ text }) => text);
}
