import type pg from 'pg';
import type { LedgerCheckProgress, LedgerCheckReport, SettingsValues } from '@answer-evidence/contracts';
import { createMasterKey, createMasterVault, systemRandom } from '@answer-evidence/node-crypto';
import type { Attestations, OriginalsReader, WorkFinder, Workspace } from '@answer-evidence/ports';
import {
  checkStoredLedger,
  createOriginalsReader,
  createPostgresLedger,
  createPostgresStores,
  createWorkspace,
  createWorkspaceDirectory,
  openPool,
  type PostgresStores,
  readSettings,
  type ServiceUrls,
} from '@answer-evidence/postgres';
import type { Rows, TableName } from '@answer-evidence/tables';
import { changeSettings } from './change-settings.ts';
import {
  openSharedDatabase,
  openTestDatabase,
  openTestLogins,
  prepareInstallation,
  type TestDatabase,
} from './test-database.ts';
import type { TestWorkspace } from './test-workspace.ts';
import { createTestCallers, createTestWorld } from './test-world.ts';

const NOBODY_VOUCHES: Attestations = {
  publishedSize: 0,
  publishedAt: undefined,
  witnessedSize: null,
  anchoredSize: null,
  exposedEntries: 0,
  exposedSince: undefined,
  failing: [],
};

/** A workspace in PostgreSQL; anyone who opened it closes it, unless it is in the shared database. */
export type PostgresWorkspace = TestWorkspace &
  PostgresStores & {
    /** Connections of the service's role. */
    readonly pool: pg.Pool;
    /** Superuser's URL of the database. */
    readonly databaseUrl: string;
    /** The URLs of the service's logins. */
    readonly logins: ServiceUrls;
    readonly originals: OriginalsReader;
    /** Re-derives everything that the database holds of the workspace. */
    checkLedger(how?: { readonly onProgress?: (progress: LedgerCheckProgress) => void }): Promise<LedgerCheckReport>;
    /** A superuser's connection, which no trigger holds back. */
    readonly superuser: pg.Pool;
    /** What a table holds of the workspace. */
    rows<Name extends TableName>(table: Name): Promise<readonly Rows[Name][]>;
    close(): Promise<void>;
  };

/** A database that workspaces are made in, with the pools of the service's roles. */
type Installation = Awaited<ReturnType<typeof openInstallation>>;

async function openInstallation(openDatabase: () => Promise<TestDatabase>) {
  const database = await openDatabase();
  let isClosing = false;
  function unexpected(error: Error): void {
    // Dropping the database may cut a connection off that is just saying goodbye.
    if (!isClosing) throw error;
  }
  const logins = await openTestLogins(database.url);
  const [pool, relayPool, superuser] = [
    openPool({ url: logins.answer_evidence_app, role: 'answer_evidence_app', connectionsMax: 8, onError: unexpected }),
    openPool({
      url: logins.answer_evidence_relay,
      role: 'answer_evidence_relay',
      connectionsMax: 2,
      onError: unexpected,
    }),
    openPool({ url: database.url, role: 'owner', connectionsMax: 1, onError: unexpected }),
  ];
  superuser.on('connect', (client) => void client.query('set session_replication_role = replica'));
  const vault = createMasterVault(createMasterKey());
  await prepareInstallation(pool, vault);
  return {
    databaseUrl: database.url,
    logins,
    pool,
    relayPool,
    superuser,
    vault,
    unexpected,
    async close() {
      isClosing = true;
      await Promise.all([pool.end(), relayPool.end(), superuser.end()]);
      await database.close();
    },
  };
}

/** Makes a workspace whose log holds the genesis and the first settings, in a fresh database. */
export async function openPostgresWorkspace(): Promise<PostgresWorkspace> {
  const installation = await openInstallation(openTestDatabase);
  const workspace = await createWorkspaceIn(installation, 'acme');
  return {
    ...workspace,
    async close() {
      await workspace.close();
      await installation.close();
    },
  };
}

let shared: Promise<Installation> | undefined;
let count = 0;

/**
 * Makes a workspace in a database that all test files of this process share, which takes much less time than a database
 * of its own. It need not be closed. Its directory lists it alone, and so does what finds work.
 */
export async function openSharedWorkspace(settings: Partial<SettingsValues> = {}): Promise<PostgresWorkspace> {
  shared ??= openInstallation(openSharedDatabase);
  const installation = await shared;
  // Idle connections keep no process from ending.
  for (const pool of [installation.pool, installation.relayPool, installation.superuser])
    pool.options.allowExitOnIdle = true;
  const workspace = await createWorkspaceIn(installation, `acme-${++count}`);
  if (Object.keys(settings).length > 0) await changeSettings(workspace, settings);
  const { work, directory } = workspace;
  const list = () => Promise.resolve([workspace.workspace]);
  return { ...workspace, work: onlyOf(work, workspace.workspace.id), directory: { ...directory, list } };
}

/** A finder that names no other workspace. */
function onlyOf(work: WorkFinder, id: string): WorkFinder {
  type Find = (...asked: readonly unknown[]) => Promise<readonly (Workspace | { readonly workspace: Workspace })[]>;
  return new Proxy(work, {
    get: (finder, name) => {
      const find = Reflect.get(finder, name) as Find;
      return async (...asked: readonly unknown[]) =>
        (await find(...asked)).filter((found) => ('workspace' in found ? found.workspace : found).id === id);
    },
  });
}

async function createWorkspaceIn(installation: Installation, slug: string): Promise<PostgresWorkspace> {
  const { pool, relayPool, superuser, vault, unexpected, databaseUrl, logins } = installation;
  const world = createTestWorld();
  const { clock } = world;
  const { workspaceId, userId } = await createWorkspace(
    pool,
    { vault, clock, random: systemRandom },
    {
      slug,
      displayName: 'Acme',
      host: 'log.example',
      member: { username: 'mia', role: 'manager' },
      // As the fake one has it, so that a test which reads a record counts the same leaves in both.
      readingRule: 'open',
    },
  );
  const directory = createWorkspaceDirectory(pool, vault);
  const stores = createPostgresStores({ pool, relayPool, directory, vault, clock, random: systemRandom });
  const { logs } = stores;
  const workspace = await directory.get(workspaceId);
  const openLedger = () => createPostgresLedger({ pool, directory, logs, clock, onFatal: unexpected });
  const ledger = openLedger();
  const otherLedger = openLedger();
  return {
    ...world,
    ...createTestCallers(world, workspaceId, userId),
    ...stores,
    workspace,
    ledger,
    otherLedger,
    directory,
    // Nothing of trust is set up here, so nobody vouches.
    readAttestations: () => Promise.resolve(NOBODY_VOUCHES),
    readFreshSettings: (asked) => readSettings(logs, asked),
    pool,
    superuser,
    originals: createOriginalsReader(pool),
    databaseUrl,
    logins,
    checkLedger: ({ onProgress } = {}) =>
      checkStoredLedger(pool, workspace, () => Promise.resolve(), onProgress === undefined ? {} : { onProgress }),
    async rows(table) {
      const text = `select * from answer_evidence.${table} where workspace_id = $1`;
      return (await superuser.query<Rows[typeof table]>(text, [workspaceId])).rows;
    },
    async close() {
      await Promise.all([ledger.drain(), otherLedger.drain()]);
    },
  };
}
