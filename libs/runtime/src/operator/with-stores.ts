import { assertDataDir } from '../ground/assert-data-dir.ts';
import { joinDatabase } from '../open/open-database.ts';
import { type BareStores, openBareStores, openStores, type Stores } from '../open/open-stores.ts';
import { whileOpen } from '../open/while-open.ts';
import { tellIfSlow } from '../start/tell-if-slow.ts';
import type { Operation } from './command.ts';

/** Runs the action on the configured database: that of a running service, or one started for the time. */
export function withStores(
  operation: Operation,
  action: (stores: Stores, databaseUrl: string) => Promise<number>,
): Promise<number> {
  return withOpened(operation, openStores, action);
}

/** The same without the keys that sign tokens, for what must work also where they were altered. */
export function withBareStores(operation: Operation, action: (stores: BareStores) => Promise<number>): Promise<number> {
  return withOpened(operation, openBareStores, action);
}

async function withOpened<S extends { close(): Promise<void> }>(
  { config, report }: Operation,
  open: (...args: Parameters<typeof openStores>) => Promise<S>,
  action: (stores: S, databaseUrl: string) => Promise<number>,
): Promise<number> {
  await tellIfSlow(report, `the folder ${config.SERVICE_DATA_DIR}`, () => assertDataDir(config));
  const database = await joinDatabase(config, report);
  try {
    return await whileOpen(
      (on) => open(config, database, report, on),
      (stores) => action(stores, database.url),
    );
  } finally {
    await database.close();
  }
}
