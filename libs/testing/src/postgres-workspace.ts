import type pg from 'pg';
import type { LedgerCheckProgress, LedgerCheckReport } from '@answer-evidence/contracts';
import { createMasterKey, createMasterVault, systemRandom } from '@answer-evidence/node-crypto';
import type { Attestations, OriginalsReader } from '@answer-evidence/ports';
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
import { openTestDatabase, openTestLogins, prepareInstallation } from './test-database.ts';
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

/** A workspace in a PostgreSQL database of its own; anyone who opened it closes it. */
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
    checkLedger(onProgress?: (progress: LedgerCheckProgress) => void): Promise<LedgerCheckReport>;
    close(): Promise<void>;
  };

/** Makes a workspace whose log holds the genesis and the first settings, in a fresh database. */
export async function openPostgresWorkspace(): Promise<PostgresWorkspace> {
  const database = await openTestDatabase();
  let isClosing = false;
  function unexpected(error: Error): void {
    // Dropping the database may cut a connection off that is just saying goodbye.
    if (!isClosing) throw error;
  }
  const logins = await openTestLogins(database.url);
  const pool = openPool({
    url: logins.answer_evidence_app,
    role: 'answer_evidence_app',
    connectionsMax: 8,
    onError: unexpected,
  });
  const relayPool = openPool({
    url: logins.answer_evidence_relay,
    role: 'answer_evidence_relay',
    connectionsMax: 2,
    onError: unexpected,
  });
  const world = createTestWorld();
  const { clock } = world;
  const vault = createMasterVault(createMasterKey());
  await prepareInstallation(pool, vault);
  const { workspaceId, userId } = await createWorkspace(
    pool,
    { vault, clock, random: systemRandom },
    {
      slug: 'acme',
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
    originals: createOriginalsReader(pool),
    databaseUrl: database.url,
    logins,
    checkLedger: (onProgress) =>
      checkStoredLedger(pool, workspace, () => Promise.resolve(), onProgress === undefined ? {} : { onProgress }),
    async close() {
      await Promise.all([ledger.drain(), otherLedger.drain()]);
      isClosing = true;
      await Promise.all([pool.end(), relayPool.end()]);
      await database.close();
    },
  };
}
