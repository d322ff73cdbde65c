import { assertDataDir } from '../start/assert-data-dir.ts';
import { joinDatabase } from '../start/open-database.ts';
import { openStores, type Stores } from '../start/open-stores.ts';
import type { Operation } from './command.ts';

/** Runs the action on the configured database: that of a running service, or one started for the time. */
export async function withStores(
  { config, report }: Operation,
  action: (stores: Stores, databaseUrl: string) => Promise<number>,
): Promise<number> {
  await assertDataDir(config);
  const database = await joinDatabase(config, report);
  try {
    const stores = await openStores(config, database, report, { fatal: () => undefined, idleError: () => undefined });
    try {
      return await action(stores, database.url);
    } finally {
      await stores.close();
    }
  } finally {
    await database.close();
  }
}
