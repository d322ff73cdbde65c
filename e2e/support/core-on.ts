import { type Core, openCore } from '../../libs/runtime/src/start/open-core.ts';
import { parseConfig } from '../../libs/runtime/src/start/config.ts';
import type { TestService } from './test-service.ts';

/**
 * Everything below HTTP, on the database and the data folder of a service: as a new process would see them, without its
 * tickers. What would stop that process is in `stops`. Anyone who opens it closes it.
 */
export async function openCoreOn(
  service: Pick<TestService, 'databaseUrl' | 'dataDir'>,
): Promise<{ readonly core: Core; readonly stops: readonly string[] }> {
  const stops: string[] = [];
  const core = await openCore(
    parseConfig({ DATABASE_URL: service.databaseUrl, SERVICE_DATA_DIR: service.dataDir }),
    { url: service.databaseUrl, close: () => Promise.resolve() },
    () => undefined,
    { fatal: (error) => stops.push(error.message), idleError: () => undefined },
  );
  return { core, stops };
}
