import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { ServiceError } from '@answer-evidence/contracts';
import { createArgon2Hasher } from '@answer-evidence/argon2';
import { createContentSniffer } from '@answer-evidence/file-type';
import { assertWritableDirectory, openOutsideHeads, OutsideHeadError } from '@answer-evidence/filesystem';
import { createHtmlReader } from '@answer-evidence/html-text';
import { createLoginThrottle, createTokenUses, type TokenUses } from '@answer-evidence/http-edge';
import { systemClock, systemRandom, verifyEd25519 } from '@answer-evidence/node-crypto';
import type {
  ApplicationTokens,
  MasterVault,
  MemberStore,
  OtlpStore,
  OutboxRelay,
  OutsideHeads,
  ReconciliationStore,
  TrustStore,
  WorkspaceDirectory,
} from '@answer-evidence/ports';
import {
  checkStoredLedger,
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
  createTrustStore,
  createTokenUseStore,
  createWorkspaceDirectory,
  migrate,
  openPool,
  type PostgresLedger,
  readSettings,
  readSystemIdentifier,
  whileHolding,
} from '@answer-evidence/postgres';
import { createEvidenceStage } from '@answer-evidence/stage-evidence';
import { createIngestStage } from '@answer-evidence/stage-ingest';
import { createOtlpStage, type ItemCounts } from '@answer-evidence/stage-otlp';
import { createReconcileStage } from '@answer-evidence/stage-reconcile';
import {
  assertHeadsHold,
  createAnchoredCheckpoints,
  createTrustStage,
  HeadRefusedError,
} from '@answer-evidence/stage-trust';
import { createWorkspaceStage, type HostWorkspace } from '@answer-evidence/stage-workspace';
import type { Ticker } from '@answer-evidence/ports';
import type { Stage } from '@answer-evidence/routes';
import type pg from 'pg';
import { openTokenKeys, type TokenKeys } from '../token-keys/token-keys.ts';
import { createWakeUp, type WakeUp } from '../jobs/wake-up.ts';
import { baseUrlOf, workspaceUrl } from './addresses.ts';
import type { Config } from './config.ts';
import { otlpOptionsOf } from './otlp-options.ts';
import { openTrustTools } from './open-trust-tools.ts';
import { databaseStartError } from './database-start-error.ts';
import type { OpenedDatabase } from './open-database.ts';
import { type OpenedObjectStore, openObjectStore } from './open-object-store.ts';
import { openMasterVault } from './open-master-vault.ts';
import type { Report } from './report.ts';
import { StartError } from './start-error.ts';
import { vacuumTicker } from './vacuum-ticker.ts';

const CONNECTIONS_MAX = 20;
const RELAY_CONNECTIONS_MAX = 6;
/** Four logs at once in each of three parts, and two that a manager asked for. */
const LEAD_CONNECTIONS_MAX = 14;

/** Every stage that a process can run. */
export type StageName = 'workspace' | 'ingest' | 'evidence' | 'trust' | 'reconcile' | 'otlp';

/** Everything below HTTP, opened on a database. */
export type Core = {
  readonly pool: pg.Pool;
  readonly vault: MasterVault;
  readonly directory: WorkspaceDirectory;
  readonly administration: ReturnType<typeof createAdministrationStore>;
  readonly members: MemberStore;
  readonly applicationTokens: ApplicationTokens;
  readonly ledger: PostgresLedger;
  readonly outsideHeads: OutsideHeads;
  readonly logs: ReturnType<typeof createLogStore>;
  readonly records: ReturnType<typeof createRecordStore>;
  readonly evidence: ReturnType<typeof createEvidenceStore>;
  readonly trust: TrustStore;
  /** The bytes of evidence. */
  readonly objectStore: OpenedObjectStore;
  readonly reconciliations: ReconciliationStore;
  readonly tokenKeys: TokenKeys;
  readonly tokenUses: TokenUses;
  /** What every process does now and then, whatever its stages. */
  readonly tickers: readonly Ticker[];
  readonly otlp: OtlpStore;
  /** What has become of OTLP items in this process. */
  readonly otlpItems: ItemCounts;
  /** The jobs of all workspaces. */
  readonly relay: OutboxRelay;
  /** Is called when jobs were written here. */
  readonly jobsWaiting: WakeUp;
  createStages(names: readonly StageName[], addresses?: Addresses): readonly Stage[];
  /** Refuses logs that are behind or beside what was kept outside of the database. Throws `StartError`. */
  assertHeadsHold(): Promise<void>;
  close(): Promise<void>;
};

/** Where the service is: which workspace a `Host` header selects, and where workspaces are reached. */
export type Addresses = {
  readonly workspaceOfHost: (host: string | undefined) => Promise<HostWorkspace | undefined>;
  /** The public address of a workspace's API host; left out where none is set. */
  readonly publicUrl?: (slug: string) => string;
  /** Where links for people go. */
  readonly linkUrl: (slug: string) => string;
};

/** Makes sure that everything can be kept, migrates the database and opens what works on it. Throws `StartError`. */
export async function openCore(
  config: Config,
  database: OpenedDatabase,
  report: Report,
  on: { readonly fatal: (error: Error) => void; readonly idleError: (error: Error) => void },
): Promise<Core> {
  try {
    const applied = await migrate(database.url);
    if (applied.length > 0) report(`migrated the database to ${applied.at(-1)?.replace('.sql', '')}`);
  } catch (error) {
    throw databaseStartError(error, config);
  }
  const pool = openPool({
    url: database.url,
    role: 'answer_evidence_app',
    connectionsMax: CONNECTIONS_MAX,
    onError: on.idleError,
  });
  const leadPool = openPool({
    url: database.url,
    role: 'answer_evidence_app',
    connectionsMax: LEAD_CONNECTIONS_MAX,
    onError: on.idleError,
  });
  const relayPool = openPool({
    url: database.url,
    role: 'answer_evidence_relay',
    connectionsMax: RELAY_CONNECTIONS_MAX,
    onError: on.idleError,
  });
  try {
    const vault = await openMasterVault(config, pool, report);
    const directory = createWorkspaceDirectory(pool, vault);
    const logs = createLogStore(pool, directory);
    const trust = createTrustStore(pool, directory, leadPool);
    const administration = createAdministrationStore(pool);
    const members = createMemberStore(pool);
    const tokenKeys = await openTokenKeys({
      store: createTokenKeyStore(pool),
      vault,
      clock: systemClock,
      random: systemRandom,
      monotonicMs: () => performance.now(),
      wait: (ms) => setTimeout(ms),
      ageDays: config.SERVICE_TOKEN_KEY_DAYS,
      leadSeconds: config.SERVICE_TOKEN_KEY_LEAD_SECONDS,
    });
    const applicationTokens = tokenKeys.tokens;
    const tokenUses = createTokenUses(createTokenUseStore(pool));
    const outsideHeads = await openOutsideHeads(join(config.SERVICE_DATA_DIR, 'heads'));
    const trustTools = await openTrustTools(config);
    const objectStore = await openObjectStore(config);
    const jobsWaiting = createWakeUp();
    const onJobs = jobsWaiting.call;
    const ledger = createPostgresLedger({ pool, directory, logs, clock: systemClock, onFatal: on.fatal, onJobs });
    const reconciliations = createReconciliationStore({
      pool,
      directory,
      clock: systemClock,
      random: systemRandom,
      onJobs,
    });
    const otlp = createOtlpStore({ pool, clock: systemClock, random: systemRandom, onJobs });
    const otlpItems = { accepted: 0, rejected: 0, ignored: 0, droppedAttributes: 0 };
    const shared = {
      ledger,
      directory,
      logs,
      administration,
      records: createRecordStore(pool),
      retention: createRetentionStore(pool),
      evidence: createEvidenceStore(pool),
      evidenceErasures: createEvidenceErasureStore(pool),
      jobs: createJobOutbox({ pool, clock: systemClock, random: systemRandom, onJobs }),
      deadLetters: createDeadLetterStore({ pool, clock: systemClock, onJobs }),
      backupDays: config.SERVICE_BACKUP_DAYS,
      clock: systemClock,
      random: systemRandom,
    };
    return {
      pool,
      vault,
      directory,
      administration,
      members,
      applicationTokens,
      tokenKeys,
      tokenUses,
      tickers: [tokenKeys.ticker, tokenUses.ticker, vacuumTicker(database.url, report)],
      ledger,
      outsideHeads,
      logs,
      records: shared.records,
      evidence: shared.evidence,
      trust,
      objectStore,
      otlp,
      otlpItems,
      reconciliations,
      relay: createOutboxRelay({ pool: relayPool, clock: systemClock }),
      jobsWaiting,
      createStages: (names, addresses) =>
        names.map((name): Stage => {
          switch (name) {
            case 'workspace':
              return createWorkspaceStage({
                ...shared,
                members,
                applicationTokens,
                passwords: createArgon2Hasher(),
                loginThrottle: createLoginThrottle(),
                linkUrl: (slug) => workspaceUrl(baseUrlOf(config), slug),
                readFreshSettings: (workspaceId) => readSettings(logs, workspaceId),
                ...addresses,
              });
            case 'ingest':
              return createIngestStage(shared);
            case 'reconcile':
              return createReconcileStage({
                ...shared,
                reconciliations,
                checkpoints: createAnchoredCheckpoints({ trust, logs, verifyEd25519, ...trustTools }),
              });
            case 'evidence':
              return createEvidenceStage({
                ...shared,
                objects: objectStore.store,
                sniffer: createContentSniffer(),
                htmlReader: createHtmlReader(),
                readFreshSettings: (workspaceId) => readSettings(logs, workspaceId),
              });
            case 'otlp':
              return createOtlpStage({
                ...shared,
                otlp,
                readFreshSettings: (workspaceId) => readSettings(logs, workspaceId),
                turn: () => setImmediate(),
                onItems(counts) {
                  otlpItems.accepted += counts.accepted;
                  otlpItems.rejected += counts.rejected;
                  otlpItems.ignored += counts.ignored;
                  otlpItems.droppedAttributes += counts.droppedAttributes;
                },
                ...otlpOptionsOf(config),
              });
            case 'trust':
              return createTrustStage({
                ...shared,
                ...trustTools,
                outsideHeads,
                reconciliations,
                trust,
                verifyEd25519,
                checkLedger: (workspace) => checkStoredLedger(pool, workspace),
                whileKeepingHead: (workspaceId, action) => whileHolding(pool, 'head', workspaceId, action),
                onFatal: on.fatal,
                systemIdentifier: () => readSystemIdentifier(pool),
              });
          }
        }),
      async assertHeadsHold() {
        try {
          await assertHeadsHold({ directory, logs, outsideHeads });
        } catch (error) {
          throw headStartError(error);
        }
      },
      async close() {
        await ledger.drain();
        // A nicety: what cannot be kept now is lost, and nothing else with it.
        await tokenUses.write().catch(() => undefined);
        objectStore.close();
        await relayPool.end();
        await leadPool.end();
        await pool.end();
      },
    };
  } catch (error) {
    await relayPool.end();
    await leadPool.end();
    await pool.end();
    throw databaseStartError(error, config);
  }
}

function headStartError(error: unknown): unknown {
  const advice =
    'The service signs nothing on it: restore the newest backup, or continue with "npm run ledger:recover"; see docs/operations.md, "A refused start"';
  if (error instanceof HeadRefusedError) return new StartError(`${error.message}. ${advice}`, { cause: error });
  if (error instanceof OutsideHeadError) return new StartError(error.message, { cause: error });
  if (error instanceof ServiceError && error.remedy === 'stop-process') {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return new StartError(`${reason}. ${advice}`, { cause: error });
  }
  return error;
}

/** Throws `StartError` unless the data folder can be written to. */
export async function assertDataDir(config: Config): Promise<void> {
  try {
    await assertWritableDirectory(config.SERVICE_DATA_DIR);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : 'the data folder is not writable');
  }
}
