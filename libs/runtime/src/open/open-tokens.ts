import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createTokenUses } from '@answer-evidence/http-edge';
import { systemClock as clock, systemRandom as random } from '@answer-evidence/node-crypto';
import { type MasterVault, StoredDamageError, VaultError } from '@answer-evidence/ports';
import {
  type createClockMarkStore,
  createTokenKeyStore,
  createTokenUseStore,
  listStoredWorkspaces,
} from '@answer-evidence/postgres';
import type { Config } from '../ground/config.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';
import { openTokenKeys } from '../token-keys/token-keys.ts';
import type { OpenedDatabase } from './open-database.ts';
import { partsTicker } from './parts-ticker.ts';
import type { Pool } from './pool-opener.ts';
import { vacuumTicker } from './vacuum-ticker.ts';
import { clockTicker, type openClockWatch } from './watch-clock.ts';

type Stored = { readonly pool: Pool; readonly vault: MasterVault };
type StoredWithClock = Stored & {
  readonly clockMarks: ReturnType<typeof createClockMarkStore>;
  readonly clockGuard: Awaited<ReturnType<typeof openClockWatch>>;
};

/** The keys that sign tokens, and what every process does now and then. Throws `StartError`. */
export async function openTokens(
  config: Config,
  database: OpenedDatabase,
  { pool, vault, clockMarks, clockGuard }: StoredWithClock,
  report: Report,
) {
  const tokenKeys = await tokenKeysOrRefusal(
    openTokenKeys({
      store: createTokenKeyStore(pool, vault),
      vault,
      clock,
      random,
      monotonicMs: () => performance.now(),
      wait: (ms) => setTimeout(ms),
      ageDays: config.SERVICE_TOKEN_KEY_DAYS,
      leadSeconds: config.SERVICE_TOKEN_KEY_LEAD_SECONDS,
    }),
  );
  const tokenUses = createTokenUses(createTokenUseStore(pool));
  return {
    tokenKeys,
    applicationTokens: tokenKeys.tokens,
    tokenUses,
    /** What every process does now and then, whatever its stages. */
    tickers: [
      tokenKeys.ticker,
      tokenUses.ticker,
      vacuumTicker(database, pool, report),
      partsTicker(database, pool, report),
      clockTicker({ marks: clockMarks, workspaceIds: workspaceIdsOf({ pool, vault }) }, clockGuard, report),
    ],
  };
}

/** The ids of the workspaces that are stored now. */
function workspaceIdsOf({ pool, vault }: Stored) {
  return async () => (await listStoredWorkspaces(pool, vault)).map(({ id }) => id);
}

async function tokenKeysOrRefusal<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof StoredDamageError || error instanceof VaultError)) throw error;
    throw new StartError(
      `the keys that sign tokens were altered in the database (${error.message}): "npm run operator -- ledger-check" names what was altered, and what of the logs still holds`,
      { cause: error },
    );
  }
}
