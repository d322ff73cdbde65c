import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { openHeadStore } from '@answer-evidence/filesystem';
import { createTokenUses } from '@answer-evidence/http-edge';
import { createMasterVault, systemClock as clock, systemRandom as random } from '@answer-evidence/node-crypto';
import type { MasterVault } from '@answer-evidence/ports';
import {
  assertSessionsStay,
  createAdministrationStore,
  createDeadLetterStore,
  createEvidenceErasureStore,
  createEvidenceStore,
  createJobOutbox,
  createLogStore,
  createMemberStore,
  createOtlpStore,
  createOutboxRelay,
  createPostgresLedger,
  createReconciliationStore,
  createRecordStore,
  createRetentionStore,
  createTokenKeyStore,
  createTokenUseStore,
  createTrustStore,
  createWorkspaceDirectory,
  explainMissingRoles,
  migrate,
  openLogins,
  openPool,
  readSettings,
  sqlState,
  type ServiceRole,
  type ServiceUrls,
} from '@answer-evidence/postgres';
import { createWakeUp } from '../jobs/wake-up.ts';
import { openTokenKeys } from '../token-keys/token-keys.ts';
import type { Config } from './config.ts';
import { databaseStartError } from './database-start-error.ts';
import type { OpenedDatabase } from './open-database.ts';
import { openMasterVault, readMasterKey } from './open-master-vault.ts';
import type { Report } from './report.ts';
import { vacuumTicker } from './vacuum-ticker.ts';

const CONNECTIONS_MAX = 20;
const RELAY_CONNECTIONS_MAX = 6;
const NOT_PERMITTED = '42501';

/** What is to be done about errors that nobody waits for. */
export type ErrorSinks = { readonly fatal: (error: Error) => void; readonly idleError: (error: Error) => void };

type Pool = ReturnType<typeof openPool>;
/** Opens further connections of a role, which the caller ends. */
type OpenPool = (role: ServiceRole, connectionsMax: number) => Pool;
type OpenedPools = {
  readonly vault: MasterVault;
  readonly urls: ServiceUrls;
  readonly open: OpenPool;
  readonly pool: Pool;
  readonly relayPool: Pool;
};

/** What every process has, whatever its stages: the stores on the database, and the heads kept beside it. */
export type Stores = Awaited<ReturnType<typeof openStoresOn>> & { close(): Promise<void> };

/** Migrates the database, and opens the stores on logins that own nothing of it. Throws `StartError`. */
export async function openStores(
  config: Config,
  database: OpenedDatabase,
  report: Report,
  on: ErrorSinks,
): Promise<Stores> {
  const pools: Pool[] = [];
  async function endPools(): Promise<void> {
    for (const pool of pools.splice(0).reverse()) await pool.end();
  }
  try {
    const owner = openPool({ url: database.url, role: 'owner', connectionsMax: 2, onError: on.idleError });
    pools.push(owner);
    await assertSessionsStay(owner);
    await bringToNewest(config, database.url, owner, report);
    const vault = await openMasterVault(config, owner, report);
    const urls = await openLogins(database.url, owner, vault.passwordOf);
    const open: OpenPool = (role, connectionsMax) =>
      openPool({ url: urls[role], role, connectionsMax, onError: on.idleError });
    const pool = open('answer_evidence_app', CONNECTIONS_MAX);
    const relayPool = open('answer_evidence_relay', RELAY_CONNECTIONS_MAX);
    pools.push(pool, relayPool);
    // One connection of each role stays from now on: a change of the master key sees that somebody holds the old one.
    for (const one of [pool, relayPool]) await one.query('select 1');
    await owner.end();
    pools.shift();
    const stores = await openStoresOn(config, database.url, { vault, urls, open, pool, relayPool }, report, on);
    return {
      ...stores,
      async close() {
        await stores.ledger.drain();
        // A nicety: what cannot be kept now is lost, and nothing else with it.
        await stores.tokenUses.write().catch(() => undefined);
        await endPools();
      },
    };
  } catch (error) {
    await endPools();
    throw databaseStartError(error, config);
  }
}

/** Migrations are the owner's; of the roles that they make, an owner may lack the right to. */
async function bringToNewest(config: Config, url: string, owner: Pool, report: Report): Promise<void> {
  try {
    const applied = await migrate(url);
    if (applied.length > 0) report(`migrated the database to ${applied.at(-1)?.replace('.sql', '')}`);
  } catch (error) {
    if (sqlState(error) !== NOT_PERMITTED) throw error;
    const vault = createMasterVault(await readMasterKey(config, false));
    throw (await explainMissingRoles(url, owner, vault.passwordOf)) ?? error;
  }
}

async function openStoresOn(
  config: Config,
  databaseUrl: string,
  { vault, urls, open, pool, relayPool }: OpenedPools,
  report: Report,
  on: ErrorSinks,
) {
  const directory = createWorkspaceDirectory(pool, vault);
  const logs = createLogStore(pool, directory);
  const tokenKeys = await openTokenKeys({
    store: createTokenKeyStore(pool),
    vault,
    clock,
    random,
    monotonicMs: () => performance.now(),
    wait: (ms) => setTimeout(ms),
    ageDays: config.SERVICE_TOKEN_KEY_DAYS,
    leadSeconds: config.SERVICE_TOKEN_KEY_LEAD_SECONDS,
  });
  const tokenUses = createTokenUses(createTokenUseStore(pool));
  /** Is called when jobs were written here. */
  const jobsWaiting = createWakeUp();
  const onJobs = jobsWaiting.call;
  return {
    clock,
    random,
    backupDays: config.SERVICE_BACKUP_DAYS,
    pool,
    openPool: open,
    urls,
    vault,
    directory,
    logs,
    tokenKeys,
    applicationTokens: tokenKeys.tokens,
    tokenUses,
    /** What every process does now and then, whatever its stages. */
    tickers: [tokenKeys.ticker, tokenUses.ticker, vacuumTicker(databaseUrl, report)],
    ledger: createPostgresLedger({ pool, directory, logs, clock, onFatal: on.fatal, onJobs }),
    headStore: await openHeadStore(join(config.SERVICE_DATA_DIR, 'heads')),
    administration: createAdministrationStore(pool),
    members: createMemberStore(pool),
    records: createRecordStore(pool),
    retention: createRetentionStore(pool),
    evidence: createEvidenceStore(pool),
    evidenceErasures: createEvidenceErasureStore(pool),
    trust: createTrustStore(pool, directory),
    reconciliations: createReconciliationStore({ pool, directory, clock, random, onJobs }),
    otlp: createOtlpStore({ pool, clock, random, onJobs }),
    jobs: createJobOutbox({ pool, clock, random, onJobs }),
    deadLetters: createDeadLetterStore({ pool, clock, onJobs }),
    relay: createOutboxRelay({ pool: relayPool, clock }),
    jobsWaiting,
    readFreshSettings: (workspaceId: string) => readSettings(logs, workspaceId),
  };
}
