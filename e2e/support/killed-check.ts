// Checks the ledger of the one workspace in small blocks, and is killed in the middle by what it does itself.
import { checkStoredLedger, listStoredWorkspaces } from '@answer-evidence/postgres';
import { parseConfig } from '../../libs/runtime/src/ground/config.ts';
import { openBareStores } from '../../libs/runtime/src/open/open-stores.ts';

const BLOCK_LEAVES = 64;

const database = { url: process.env['DATABASE_URL'] ?? '', close: () => Promise.resolve() };
const on = { fatal: () => undefined, idleError: () => undefined };
const stores = await openBareStores(parseConfig(process.env), database, () => undefined, on);
const [stored] = await listStoredWorkspaces(stores.pool, stores.vault);
if (stored === undefined) throw new Error('there is no workspace');
await checkStoredLedger(stores.pool, stored.open(), stores.turn, {
  blockLeaves: BLOCK_LEAVES,
  kept: { now: () => stores.clock.nowMicros(), isSince: false },
  onProgress({ part, done }) {
    if (part === 'rows' && done > 2 * BLOCK_LEAVES) process.kill(process.pid, 'SIGKILL');
  },
});
