import { assertDataDir, type Core, openCore } from '../start/open-core.ts';
import { joinDatabase } from '../start/open-database.ts';
import type { Operation } from './command.ts';

/** Runs the action on the database of the settings: that of a running service, joined, or one started for as long as it takes. */
export async function withCore(
  { config, report }: Operation,
  action: (core: Core, databaseUrl: string) => Promise<number>,
): Promise<number> {
  await assertDataDir(config);
  const database = await joinDatabase(config, report);
  try {
    const core = await openCore(config, database, report, { fatal: () => undefined, idleError: () => undefined });
    try {
      return await action(core, database.url);
    } finally {
      await core.close();
    }
  } finally {
    await database.close();
  }
}
