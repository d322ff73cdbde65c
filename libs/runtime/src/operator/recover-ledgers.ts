import { parseArgs } from 'node:util';
import { HeadError, type KeptHead, type PinnedHead, type Workspace } from '@answer-evidence/ports';
import { checkStoredLedger, countServiceConnections } from '@answer-evidence/postgres';
import { assertExtends } from '@answer-evidence/stage-trust';
import { assertDataDir } from '../ground/assert-data-dir.ts';
import { StartError } from '../ground/start-error.ts';
import { beginContinuation, finishContinuation, isContinued, newestSigned } from '../open/continue-log.ts';
import { joinDatabase } from '../open/open-database.ts';
import { type ErrorSinks, openStores, type Stores } from '../open/open-stores.ts';
import { whileOpen } from '../open/while-open.ts';
import type { Operation, OperatorCommand } from './command.ts';

/** Continues logs of a restored database under another name, redactions reapplied. Repeatable; until done, no start. */
export const recoverLedgersCommand: OperatorCommand = {
  name: 'ledger-recover',
  usage: 'npm run operator -- ledger-recover',
  purpose: 'Continues the logs of a restored database under a new name, and redacts again what was redacted.',
  parse(args) {
    parseArgs({ args: [...args], options: {} });
    return run;
  },
};

async function run(operation: Operation): Promise<number> {
  const { config, report, print } = operation;
  await assertDataDir(config);
  const database = await joinDatabase(config, report);
  try {
    const connected = await countServiceConnections(database.url);
    if (connected > 0)
      throw new StartError(`a process of the service is running (${connected} connections); stop it first`);
    const open = (on: ErrorSinks) => openStores(config, database, report, on);
    const refused = await whileOpen(open, (stores) => openEpochs(stores, database.url, operation));
    if (refused === undefined) return 1;
    // Opened anew: a process keeps what it knows of a workspace, and its log has another name now.
    await whileOpen(open, async (stores) => {
      for (const [workspaceId, kept] of refused) print(await finishContinuation(stores, workspaceId, kept));
    });
    if (refused.size === 0) print('every log matches what was signed; there is nothing to recover');
    return 0;
  } finally {
    await database.close();
  }
}

/** Opens an epoch for each refused log: kept heads by workspace, or undefined when one must not be continued. */
async function openEpochs(
  stores: Stores,
  url: string,
  { print, report }: Operation,
): Promise<ReadonlyMap<string, PinnedHead> | undefined> {
  const refused = new Map<string, PinnedHead>();
  for (const workspace of await stores.directory.list()) {
    const kept = await stores.headStore.find(workspace.id);
    if ((await holds(stores, workspace, kept)) || kept === undefined) continue;
    const signed = newestSigned(kept);
    refused.set(workspace.id, signed);
    // A run that was cut off after this step has done it.
    if (await isContinued(stores, workspace, signed)) continue;
    report(`checking the ledger of "${workspace.slug}" before it is continued`);
    const found = await checkStoredLedger(stores.pool, workspace, stores.turn);
    if (found.findings_total > 0) {
      print(
        `${workspace.slug}: ${found.findings_total} faults; see npm run operator -- ledger-check, and restore another backup`,
      );
      return undefined;
    }
    const epoch = await beginContinuation(stores, url, workspace, signed);
    print(`${workspace.slug}: the log continues as ${epoch.origin} from entry ${epoch.leafIndex}`);
    print(`  under ${signed.origin} nothing more is signed; receipts under that name remain valid`);
    if (signed.origin === workspace.origin && epoch.leafIndex < signed.treeSize)
      print(
        `  entries ${epoch.leafIndex} to ${signed.treeSize - 1}, and any signed after them, are lost except for receipts that callers hold`,
      );
    else
      print(
        '  anything signed under that name and missing from this database is lost except for receipts that callers hold',
      );
  }
  return refused;
}

/** Throws `HeadError` for what a recovery cannot help, such as a log of which no head is kept. */
async function holds(stores: Stores, workspace: Workspace, kept: KeptHead | undefined): Promise<boolean> {
  try {
    await assertExtends(workspace, kept, await stores.logs.snapshot(workspace.id), stores.headStore.place);
    return true;
  } catch (error) {
    if (error instanceof HeadError && (error.code === 'log_refused' || error.code === 'log_disputed')) return false;
    throw error;
  }
}
