import { HeadError, type HeadServer, type PinnedHead, type Workspace } from '@answer-evidence/ports';
import { readServer, whileContinuing } from '@answer-evidence/postgres';
import { assertExtends, describeServer, isSameServer } from '@answer-evidence/stage-trust';
import type { Config } from '../ground/config.ts';
import { createFailoverJudge } from '../ground/failover-policy.ts';
import type { Report } from '../ground/report.ts';
import { beginContinuation, finishContinuation, isContinued, newestSigned } from './continue-log.ts';
import type { OpenedDatabase } from './open-database.ts';
import { type ErrorSinks, openStores, type Stores } from './open-stores.ts';
import { whileOpen } from './while-open.ts';

/**
 * Opens the stores, and holds every log against its head. Logs of which nothing is known to be missing, but which are
 * on another server than their heads and may lack what was signed last, go on under another name. Throws `HeadError`
 * for any other log that is refused.
 */
export async function openHeldStores(
  config: Config,
  database: OpenedDatabase,
  report: Report,
  on: ErrorSinks,
): Promise<Stores> {
  const open = () => openStores(config, database, report, on);
  const stores = await open();
  try {
    await stores.heads.checkAtStart();
    return stores;
  } catch (error) {
    await stores.close();
    if (!(error instanceof HeadError)) throw error;
  }
  // Also for what it cannot help: another process may be about it, and this one has read the names from before.
  await whileContinuing(database.url, () => continueLogs(config, database, report));
  const again = await open();
  try {
    await again.heads.checkAtStart();
    return again;
  } catch (error) {
    await again.close();
    throw error;
  }
}

async function continueLogs(config: Config, database: OpenedDatabase, report: Report): Promise<void> {
  // Opened under the lock, and anew once names have changed: a process keeps what it knows of a workspace.
  const open = (on: ErrorSinks) => openStores(config, database, report, on);
  const begun = await whileOpen(open, async (stores) => {
    const server = await readServer(stores.pool);
    const found = new Map<string, PinnedHead>();
    for (const workspace of await stores.directory.list()) {
      const signed = await findToContinue(stores, config, workspace, server);
      if (signed === undefined) continue;
      if (!(await isContinued(stores, workspace, signed))) {
        const epoch = await beginContinuation(stores, database.url, workspace, signed);
        report(
          `the ledger of "${workspace.slug}" is on another server now, ${describeServer(server)}: it continues as ` +
            `${epoch.origin} from entry ${epoch.leafIndex}, and any entry that was signed after the newest kept head, ` +
            `of size ${signed.treeSize}, and is not in the database is lost except for receipts that callers hold`,
        );
      }
      found.set(workspace.id, signed);
    }
    return found;
  });
  if (begun.size > 0)
    await whileOpen(open, async (stores) => {
      for (const [workspaceId, signed] of begun) report(await finishContinuation(stores, workspaceId, signed));
    });
}

/** The head that a log is to be continued from; undefined for one that holds. Throws `HeadError` for all others. */
async function findToContinue(
  stores: Stores,
  config: Config,
  workspace: Workspace,
  server: HeadServer,
): Promise<PinnedHead | undefined> {
  const kept = await stores.headStore.find(workspace.id);
  if (kept === undefined) return undefined;
  const signed = newestSigned(kept);
  // A start that was cut off has given the log its new name, and the head has to follow.
  const isCutOff = kept.origin !== workspace.origin && !isSameServer(kept, server);
  if (isCutOff && (await isContinued(stores, workspace, signed))) return signed;
  const servers = {
    server: () => Promise.resolve(server),
    lacksNothing: createFailoverJudge(config.SERVICE_DATABASE_FAILOVER),
  };
  try {
    const snapshot = await stores.storedLogs.snapshot(workspace.id);
    await assertExtends(workspace, kept, snapshot, stores.headStore.place, servers);
    return undefined;
  } catch (error) {
    if (error instanceof HeadError && error.code === 'server_changed') return signed;
    // Stopped by itself; the others go on.
    if (error instanceof HeadError && error.code === 'log_disputed') return undefined;
    throw error;
  }
}
