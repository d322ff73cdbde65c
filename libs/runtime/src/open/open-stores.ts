import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createMasterVault, systemClock as clock, systemRandom as random } from '@answer-evidence/node-crypto';
import type { HeadStore, MasterVault } from '@answer-evidence/ports';
import {
  assertSessionsStay,
  assertWrites,
  countAsynchronousStandbys,
  createOutboxRelay,
  createPostgresLedger,
  createPostgresStores,
  createWorkspaceDirectory,
  explainMissingRoles,
  findUnavailableNodes,
  isMigrated,
  migrate,
  openLogins,
  openPool,
  readServiceUrls,
  readSettings,
  sealRows,
  ServerWatch,
  type ServiceUrls,
  sqlState,
} from '@answer-evidence/postgres';
import { createHeadKeeper } from '@answer-evidence/stage-trust';
import type { Config } from '../ground/config.ts';
import { databaseStartError, placeOfDatabase } from '../ground/database-start-error.ts';
import { createFailoverJudge } from '../ground/failover-policy.ts';
import { HOW_TO_CONTINUE } from '../ground/head-start-error.ts';
import type { Report } from '../ground/report.ts';
import { createWakeUp } from '../ground/wake-up.ts';
import { DamagedWorkspaces } from '../observability/damaged-workspaces.ts';
import { LedgerMetrics } from '../observability/ledger-metrics.ts';
import { NodeWatch } from '../observability/node-watch.ts';
import { StandbyWatch } from '../observability/standby-watch.ts';
import { traceLedger, traceRelay } from '../observability/tracing/trace-parts.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { turn } from '../work/create-turns.ts';
import { admitAppends } from './admit-appends.ts';
import { admitSigning } from './admit-signing.ts';
import { checkDatabase } from './check-database.ts';
import { examineLogKeys } from './examine-log-keys.ts';
import { assertPlacesLast, findFleetingPlaces } from './fleeting-places.ts';
import type { OpenedDatabase } from './open-database.ts';
import { openHeads } from './open-heads.ts';
import { openLogKeys } from './open-log-keys.ts';
import { findKeyCheck, openMasterVault, readMasterKey } from './open-master-vault.ts';
import { openTokens } from './open-tokens.ts';
import { createPoolOpener, type Pool, type PoolOpener } from './pool-opener.ts';
import { SweepHolds } from './sweep-holds.ts';
import { openClockWatch } from './watch-clock.ts';

const CONNECTIONS_MAX = 14;
/** Of their own, so that no append waits for reads, nor for a connection that has to be opened first. */
const APPEND_CONNECTIONS_MAX = 10;
const RELAY_CONNECTIONS_MAX = 6;
const NOT_PERMITTED = '42501';
/** How long a process that has to end may take to write down what it knows of logs. */
const LAST_WORDS_MS = 5_000;

/** What is to be done about errors that nobody waits for. */
export type ErrorSinks = {
  readonly fatal: (error: Error) => void;
  readonly idleError: (error: Error) => void;
  /** What is not as it should be around the service, in a sentence that says what to change. */
  readonly warning?: (sentence: string) => void;
  /** Why a sign-in by the OpenID provider was refused, in a word. */
  readonly signInRefused?: (reason: string) => void;
  /** What callers were refused later than they could be told, in a sentence without anything that they sent. */
  readonly notice?: (sentence: string) => void;
  /** Spans of what is done; left out where there are no traces. */
  readonly tracing?: Tracing | undefined;
};

type OpenedPools = Pick<PoolOpener, 'open' | 'pulse'> & {
  readonly server: ServerWatch;
  readonly vault: MasterVault;
  readonly urls: ServiceUrls;
  readonly pool: Pool;
  readonly appendPool: Pool;
  readonly relayPool: Pool;
  readonly headStore: HeadStore;
};

/** What every process has, whatever its stages: the stores on the database, and the heads kept beside it. */
export type Stores = BareStores & Awaited<ReturnType<typeof openTokens>> & { close(): Promise<void> };
/** The same without the keys that sign tokens: enough to look at what is stored, also where those keys do not open. */
export type BareStores = Awaited<ReturnType<typeof openBareStoresOn>>;

type Opening = {
  readonly config: Config;
  readonly database: OpenedDatabase;
  readonly report: Report;
  readonly on: ErrorSinks;
};

/** Migrates the database, and opens the stores on logins that own nothing of it. Throws `StartError`. */
export async function openStores(
  config: Config,
  database: OpenedDatabase,
  report: Report,
  on: ErrorSinks,
): Promise<Stores> {
  const { stores, close } = await openOn({ config, database, report, on }, async (bare) => ({
    ...bare,
    ...(await openTokens(config, database, bare, report)),
  }));
  return {
    ...stores,
    async close() {
      await stores.ledger.drain();
      // What the next start would keep as well, unless the database is exchanged before it.
      await stores.heads
        .keepLast()
        .catch((error: unknown) =>
          report(
            `a head was not kept outside the database: ${error instanceof Error ? error.message : 'unknown reason'}`,
          ),
        );
      // A nicety: what cannot be kept now is lost, and nothing else with it.
      await stores.tokenUses.write().catch(() => undefined);
      await close();
    },
  };
}

/** The same without the keys that sign tokens. Throws `StartError`. */
export async function openBareStores(
  config: Config,
  database: OpenedDatabase,
  report: Report,
  on: ErrorSinks,
): Promise<BareStores & { close(): Promise<void> }> {
  const { stores, close } = await openOn({ config, database, report, on }, (bare) => Promise.resolve(bare));
  return { ...stores, close };
}

async function openOn<T>(
  { config, database, report, on }: Opening,
  openAll: (bare: BareStores) => Promise<T>,
): Promise<{ readonly stores: T; readonly close: () => Promise<void> }> {
  const pools: Pool[] = [];
  let opener: PoolOpener | undefined;
  const logKeys = await openLogKeys(config);
  const heads = await openHeads(config);
  async function close(): Promise<void> {
    heads.close();
    await logKeys.close();
    await opener?.close();
    for (const pool of pools.splice(0).reverse()) await pool.end();
  }
  try {
    const owner = openPool({ url: database.url, role: 'owner', connectionsMax: 2, onError: on.idleError });
    pools.push(owner);
    // Nothing is between the service and its own PostgreSQL.
    if (config.DATABASE_URL !== undefined) await assertSessionsStay(owner);
    for (const sentence of await checkDatabase(config, owner, database.url))
      on.warning?.(`${placeOfDatabase(config)} ${sentence}`);
    // Before anything is made: an installation that is there may have been begun like that, and is warned.
    if ((await findKeyCheck(owner)) === undefined) await assertPlacesLast(config);
    for (const { text } of await findFleetingPlaces(config)) on.warning?.(text);
    await bringToNewest(config, database.url, owner, report);
    const vault = await openMasterVault(config, owner, report, logKeys.keys);
    const urls = await readServiceUrls(database.url, owner, vault.passwordOf);
    const server = new ServerWatch();
    opener = createPoolOpener(urls, server, on.idleError, on.tracing);
    const { open, pulse } = opener;
    const pool = open('answer_evidence_app', CONNECTIONS_MAX);
    const appendPool = open('answer_evidence_app', APPEND_CONNECTIONS_MAX, 'writes');
    const relayPool = open('answer_evidence_relay', RELAY_CONNECTIONS_MAX);
    pools.push(pool, appendPool, relayPool);
    const first = { answer_evidence_app: pool, answer_evidence_relay: relayPool };
    await openLogins(database.url, owner, vault.passwordOf, (role) => first[role].query('select 1'));
    // One connection of each role stays from now on: a change of the master key sees that somebody holds the old one.
    for (const one of [pool, relayPool]) await assertWrites(one);
    await owner.end();
    pools.shift();
    const opened = { vault, urls, server, open, pulse, pool, appendPool, relayPool, headStore: heads.store };
    const bare = await openBareStoresOn(config, opened, report, on);
    for (const sentence of await examineLogKeys(bare, config)) on.warning?.(sentence);
    return { stores: await openAll(bare), close };
  } catch (error) {
    await close();
    throw databaseStartError(error, config);
  }
}

/** Migrations are the owner's; of the roles that they make, an owner may lack the right to. */
async function bringToNewest(config: Config, url: string, owner: Pool, report: Report): Promise<void> {
  try {
    if (await isMigrated(owner)) return;
    const applied = await migrate(url, () => report('another process migrates the database; waiting for it'));
    if (applied.length > 0) report(`migrated the database to ${applied.at(-1)?.replace('.sql', '')}`);
  } catch (error) {
    if (sqlState(error) !== NOT_PERMITTED) throw error;
    const vault = createMasterVault(await readMasterKey(config, false));
    throw (await explainMissingRoles(url, owner, vault.passwordOf)) ?? error;
  }
}

async function openBareStoresOn(
  config: Config,
  { vault, urls, server, open, pulse, pool, appendPool, relayPool, headStore }: OpenedPools,
  report: Report,
  on: ErrorSinks,
) {
  const sealed = await sealRows(pool, vault);
  if (sealed > 0) report(`gave MACs to rows of ${sealed} workspaces that had none`);
  const damagedWorkspaces = new DamagedWorkspaces(report);
  const ledgerMetrics = new LedgerMetrics();
  const directory = createWorkspaceDirectory(pool, vault, (damaged) => damagedWorkspaces.note(damaged));
  /** Is called when jobs were written here. */
  const jobsWaiting = createWakeUp();
  const onJobs = jobsWaiting.call;
  const stores = createPostgresStores({ pool, relayPool, directory, vault, clock, random, onJobs, turn });
  const storedLogs = stores.logs;
  const heads = createHeadKeeper({
    directory,
    work: stores.work,
    clock,
    logs: storedLogs,
    headStore,
    servers: {
      server: () => server.read(pool),
      lacksNothing: createFailoverJudge(config.SERVICE_DATABASE_FAILOVER),
      isOnStandby: () => server.isOnStandby,
    },
    monotonicMs: () => performance.now(),
    late: () => setTimeout(LAST_WORDS_MS, undefined, { ref: false }),
    onFatal: on.fatal,
    onMoved: report,
    onStopped: (error) => report(`a log is stopped: ${error.message}. ${HOW_TO_CONTINUE}`),
  });
  const logs = admitSigning(heads, storedLogs);
  const clockGuard = await openClockWatch({ marks: stores.clockMarks });
  const postgresLedger = createPostgresLedger({
    pool: appendPool,
    directory,
    logs,
    clock,
    onFatal: (error) => heads.end(error),
    onJobs,
    onCommitted: (workspaceId, head) => heads.noteAppended(workspaceId, head),
    onBatch: (batch) => ledgerMetrics.note(batch),
  });
  const ledger = on.tracing === undefined ? postgresLedger : traceLedger(postgresLedger, on.tracing);
  const relay = createOutboxRelay({ pool: relayPool, clock });
  return {
    ...stores,
    clock,
    clockGuard,
    sweepHolds: new SweepHolds(report),
    random,
    backupDays: config.SERVICE_BACKUP_DAYS,
    pool,
    turn,
    /** Which server holds the database. */
    server,
    standbys: new StandbyWatch(() => countAsynchronousStandbys(pool)),
    nodes: new NodeWatch(() => findUnavailableNodes(relayPool)),
    pulse,
    openPool: open,
    urls,
    vault,
    directory,
    damagedWorkspaces,
    ledgerMetrics,
    logs,
    /** Those that their heads refuse among them: to be checked, and never to be signed. */
    storedLogs,
    ledger: admitAppends(heads, ledger),
    headStore,
    heads,
    relay: on.tracing === undefined ? relay : traceRelay(relay, on.tracing),
    /** Spans of this process, where it makes any. */
    tracing: on.tracing,
    jobsWaiting,
    readFreshSettings: (workspaceId: string) => readSettings(logs, workspaceId),
  };
}
