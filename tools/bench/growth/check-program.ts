// Checks the ledger of the one workspace as the operator's command does, and prints how long it took as JSON.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { checkStoredLedger, listStoredWorkspaces } from '@answer-evidence/postgres';
import { parseConfig } from '../../../libs/runtime/src/ground/config.ts';
import { readMasterKey } from '../../../libs/runtime/src/open/open-master-vault.ts';
import { openBareStores } from '../../../libs/runtime/src/open/open-stores.ts';
import { openRangeThreads } from '../../../libs/runtime/src/work/open-range-threads.ts';

const config = parseConfig(process.env);
const database = { url: process.env['DATABASE_URL'] ?? '', close: () => Promise.resolve() };
const on = { fatal: () => undefined, idleError: () => undefined };
const stores = await openBareStores(config, database, () => undefined, on);
const threads = openRangeThreads({
  databaseUrl: stores.urls.answer_evidence_app,
  masterKey: await readMasterKey(config, true),
  threads: Number(process.env['BENCH_THREADS'] ?? availableParallelism()),
});
const [stored] = await listStoredWorkspaces(stores.pool, stores.vault);
if (stored === undefined) throw new Error('there is no workspace');
const begun = performance.now();
const report = await checkStoredLedger(stores.pool, stored.open(), stores.turn, { threads });
const milliseconds = performance.now() - begun;
await threads.close();
await stores.close();
const { entries_checked: entries, outcome } = report;
process.stdout.write(JSON.stringify({ entries, outcome, milliseconds, peakMiB: readPeakMiB() }));

/** The most memory that this process has had, with its threads. */
function readPeakMiB(): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
}
