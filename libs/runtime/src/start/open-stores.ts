import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { openHeadStore } from '@answer-evidence/filesystem';
import { createTokenUses } from '@answer-evidence/http-edge';
import { systemClock as clock, systemRandom as random } from '@answer-evidence/node-crypto';
import {
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
  migrate,
  openPool,
  readSettings,
} from '@answer-evidence/postgres';
import { createWakeUp } from '../jobs/wake-up.ts';
import { openTokenKeys } from '../token-keys/token-keys.ts';
import type { Config } from './config.ts';
import { databaseStartError } from './database-start-error.ts';
import type { OpenedDatabase } from './open-database.ts';
import { openMasterVault } from './open-master-vault.ts';
import type { Report } from './report.ts';
import { vacuumTicker } from './vacuum-ticker.ts';

const CONNECTIONS_MAX = 20;
const RELAY_CONNECTIONS_MAX = 6;

/** What is to be done about errors that nobody waits for. */
export type ErrorSinks = { readonly fatal: (error: Error) => void; readonly idleError: (error: Error) => void };

/** What every process has, whatever its stages: the stores on the database, and the heads kept beside it. */
export type Stores = Awaited<ReturnType<typeof openStoresOn>> & { close(): Promise<void> };

/** Migrates the database and opens the stores on it. Throws `StartError`. */
export async function openStores(
  config: Config,
  database: OpenedDatabase,
  report: Report,
  on: ErrorSinks,
): Promise<Stores> {
  try {
    const applied = await migrate(database.url);
    if (applied.length > 0) report(`migrated the database to ${applied.at(-1)?.replace('.sql', '')}`);
  } catch (error) {
    throw databaseStartError(error, config);
  }
  const open = (role: 'answer_evidence_app' | 'answer_evidence_relay', connectionsMax: number) =>
    openPool({ url: database.url, role, connectionsMax, onError: on.idleError });
  const pool = open('answer_evidence_app', CONNECTIONS_MAX);
  const relayPool = open('answer_evidence_relay', RELAY_CONNECTIONS_MAX);
  async function endPools(): Promise<void> {
    await relayPool.end();
    await pool.end();
  }
  try {
    const stores = await openStoresOn(config, database.url, { pool, relayPool }, report, on);
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

async function openStoresOn(
  config: Config,
  databaseUrl: string,
  { pool, relayPool }: { readonly pool: ReturnType<typeof openPool>; readonly relayPool: ReturnType<typeof openPool> },
  report: Report,
  on: ErrorSinks,
) {
  const vault = await openMasterVault(config, pool, report);
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
