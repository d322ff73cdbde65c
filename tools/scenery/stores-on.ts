import type { Stage } from '@answer-evidence/routes';
import { parseConfig } from '../../libs/runtime/src/ground/config.ts';
import type { StageName } from '../../libs/runtime/src/ground/stage-names.ts';
import { openStores, type Stores } from '../../libs/runtime/src/open/open-stores.ts';
import { openStages } from '../../libs/runtime/src/start/stages/open-stages.ts';
import { findSplitPlace } from './split-place.ts';
import type { TestService } from './test-service.ts';

/**
 * Everything below HTTP, on the database and the data folder of a service: as a new process would see them, without its
 * tickers. What would stop that process is in `stops`. The caller closes `stores`, and with them the stages that it
 * opened.
 */
export async function openStoresOn(service: Pick<TestService, 'databaseUrl' | 'dataDir'>): Promise<{
  readonly stores: Stores;
  readonly stops: readonly string[];
  openStages(names: readonly StageName[]): Promise<readonly Stage[]>;
}> {
  const stops: string[] = [];
  const config = parseConfig({
    DATABASE_URL: service.databaseUrl,
    SERVICE_DATA_DIR: service.dataDir,
    ...findSplitPlace()?.environment,
  });
  const database = { url: service.databaseUrl, close: () => Promise.resolve() };
  const on = { fatal: (error: Error) => stops.push(error.message), idleError: () => undefined };
  const report = () => undefined;
  const opened = await openStores(config, database, report, on);
  const closes: (() => Promise<void>)[] = [];
  const stores: Stores = {
    ...opened,
    async close() {
      for (const close of closes) await close();
      await opened.close();
    },
  };
  return {
    stores,
    stops,
    openStages: (names) =>
      openStages(names, { config, stores, report, on }, ({ close }) => {
        if (close !== undefined) closes.push(close);
      }),
  };
}
