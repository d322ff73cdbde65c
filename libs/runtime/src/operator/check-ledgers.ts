import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type LedgerCheckReport, ServiceError } from '@answer-evidence/contracts';
import { NoteError } from '@answer-evidence/note';
import { StoredDamageError, VaultError, type Workspace } from '@answer-evidence/ports';
import {
  checkInstallation,
  checkStoredLedger,
  listStoredWorkspaces,
  type RangeThreads,
  type StoredWorkspace,
} from '@answer-evidence/postgres';
import { checkWholeLedger } from '@answer-evidence/stage-trust';
import { adviceOn } from '../ground/head-start-error.ts';
import { StartError } from '../ground/start-error.ts';
import { describeLostWorkspaces } from '../open/describe-lost-workspaces.ts';
import { readMasterKey } from '../open/open-master-vault.ts';
import { openOriginalsCheck, type OriginalsCheck } from '../open/open-originals-check.ts';
import type { BareStores } from '../open/open-stores.ts';
import { labelOf } from '../token-keys/token-keys.ts';
import { openRangeThreads } from '../work/open-range-threads.ts';
import { openCheckProgress } from './check-progress.ts';
import type { Operation, OperatorCommand } from './command.ts';
import { withBareStores } from './with-stores.ts';

type Options = {
  readonly workspace: string | undefined;
  readonly json: boolean;
  readonly threads: number;
  /** Where a check that is interrupted leaves what it has done. */
  readonly progress: string | undefined;
  /** Whether a check begins where the last one without a fault ended. */
  readonly isSince: boolean;
};

const THREADS_MAX = 64;

/** Re-derives every ledger, also while the service refuses to start, and compares the heads kept outside. */
export const checkLedgersCommand: OperatorCommand = {
  name: 'ledger-check',
  usage:
    'npm run operator -- ledger-check [--workspace SLUG] [--json] [--threads N] [--since-last] [--progress FOLDER]',
  purpose: 'Re-derives every ledger from what is stored and compares it with the heads kept outside the database.',
  parse(args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        workspace: { type: 'string' },
        json: { type: 'boolean', default: false },
        threads: { type: 'string' },
        progress: { type: 'string' },
        'since-last': { type: 'boolean', default: false },
      },
    });
    const { json, progress, workspace, 'since-last': isSince } = values;
    if (isSince && progress !== undefined)
      throw new StartError('--since-last keeps what it found in the database: leave out --progress');
    const options = { workspace, json, progress, isSince, threads: parseThreads(values.threads) };
    return (operation) =>
      withBareStores(operation, async (stores) => {
        const originals = await openOriginalsCheck(operation.config, stores);
        try {
          return await withThreads(stores, originals, options, operation);
        } finally {
          originals?.close();
        }
      });
  },
};

async function withThreads(
  stores: BareStores,
  originals: OriginalsCheck | undefined,
  options: Options,
  operation: Operation,
): Promise<number> {
  if (options.threads === 1) return checkLedgers({ stores, originals, threads: undefined }, options, operation);
  const threads = openRangeThreads({
    databaseUrl: stores.urls.answer_evidence_app,
    masterKey: await readMasterKey(operation.config, true),
    threads: options.threads,
  });
  try {
    return await checkLedgers({ stores, originals, threads }, options, operation);
  } finally {
    await threads.close();
  }
}

/** What ledgers are checked with. */
type Tools = {
  readonly stores: BareStores;
  readonly originals: OriginalsCheck | undefined;
  readonly threads: RangeThreads | undefined;
};

/** As many as there are processors, unless it is said. */
function parseThreads(text: string | undefined): number {
  if (text === undefined) return availableParallelism();
  const threads = /^[1-9][0-9]?$/.test(text) ? Number(text) : Infinity;
  if (threads > THREADS_MAX) throw new StartError(`--threads must be a number from 1 to ${THREADS_MAX}`);
  return threads;
}

async function checkLedgers(tools: Tools, options: Options, operation: Operation): Promise<number> {
  const { stores } = tools;
  const { print, report } = operation;
  const all = await listStoredWorkspaces(stores.pool, stores.vault);
  const chosen = options.workspace === undefined ? all : all.filter(({ slug }) => slug === options.workspace);
  if (chosen.length === 0 && options.workspace !== undefined)
    throw new StartError(`there is no workspace "${options.workspace}"; use --workspace with one of: ${slugsOf(all)}`);
  if (chosen.length === 0) report('there is no workspace yet; nothing to check');
  let faults = 0;
  for (const workspace of chosen) faults += await checkWorkspace(tools, workspace, options, operation);
  const installation = [
    ...(await checkInstallation(stores.pool, stores.vault, labelOf)),
    ...(await describeLostWorkspaces(stores.headStore, all)),
  ];
  for (const fault of installation) {
    print(options.json ? JSON.stringify({ installation: fault }) : `FAIL installation: ${fault}`);
    faults += 1;
  }
  return faults === 0 ? 0 : 1;
}

/** How many faults were found and printed. A workspace that cannot even be opened is one; the others are checked. */
async function checkWorkspace(
  { stores, originals, threads }: Tools,
  stored: StoredWorkspace,
  options: Options,
  { print, report }: Operation,
): Promise<number> {
  const { headStore } = stores;
  const { slug } = stored;
  report(`checking the ledger of "${slug}"`);
  let workspace: Workspace;
  let found: LedgerCheckReport;
  try {
    workspace = stored.open();
    const progress = options.progress === undefined ? undefined : await openCheckProgress(options.progress, workspace);
    if (progress !== undefined && progress.known > 0)
      report(`the rows of ${progress.known} blocks of leaves were checked before, and are not read again`);
    const how = {
      ...(threads === undefined ? {} : { threads }),
      ...(progress === undefined
        ? { kept: { now: () => stores.clock.nowMicros(), isSince: options.isSince } }
        : { progress }),
    };
    found = await checkWholeLedger(
      {
        checkStored: (checked) => checkStoredLedger(stores.pool, checked, stores.turn, how),
        logs: stores.storedLogs,
        headStore,
        checkOriginals: async (checked) =>
          originals?.check(checked, {
            bytesMax: Infinity,
            before: progress?.originals,
            onPage: (done) => progress?.keepOriginals(done),
          }),
      },
      workspace,
      ({ code, detail, where }) => adviceOn(code, detail + where),
    );
    await progress?.end();
  } catch (error) {
    if (!isDamage(error)) throw error;
    const detail = `${error.message}: nothing of it can be checked; see docs/operations.md, "A refused start"`;
    print(options.json ? JSON.stringify({ workspace: slug, outcome: 'FAIL', detail }) : `${slug}: FAIL, ${detail}`);
    return 1;
  }
  if (options.json) print(JSON.stringify({ workspace: slug, ...found }));
  else {
    const entries = `${found.entries_checked} of ${found.tree_size} entries re-derived`;
    print(`${slug}: ${found.outcome}, ${entries}${describeOriginals(found)}`);
    for (const line of describeBefore(found)) print(`  ${line}`);
    for (const finding of found.findings)
      print(`  FAIL ${finding.check}: ${finding.object} (leaf ${finding.leaf_index ?? '-'}): ${finding.detail}`);
    if (found.findings_total > found.findings.length)
      print(`  and ${found.findings_total - found.findings.length} more`);
  }
  return found.findings_total + (isWhole(found) ? 0 : 1);
}

/** Whether every original was read. Where no object store is at hand, none is asked for. */
function isWhole({ originals }: LedgerCheckReport): boolean {
  return originals === undefined || originals.read === originals.stored;
}

function describeOriginals(found: LedgerCheckReport): string {
  const { originals } = found;
  if (originals === undefined) return '; no original of evidence was looked for: this process has no object store';
  if (originals.stored === 0) return '';
  const read = `, ${originals.read} of ${originals.stored} originals read`;
  return isWhole(found) ? read : `${read}: the object store is unavailable, so repeat the check`;
}

/** What this check did not look at itself. */
function describeBefore({ since, taken_over: takenOver }: LedgerCheckReport): readonly string[] {
  return [
    ...(since === undefined
      ? []
      : [
          `began at ${since.tree_size} entries with the root ${since.root_hash}, checked at ${since.checked_at}; ` +
            `the last whole check began at ${since.whole_at}`,
          `not looked at again: ${since.not_looked_at}`,
        ]),
    ...(takenOver === undefined
      ? []
      : [
          `the rows of ${takenOver.entries} entries were checked by an earlier or another process since ` +
            takenOver.begun_at,
        ]),
  ];
}

/** What a damaged row makes the service say, as against a database that is unavailable or a fault of the check. */
function isDamage(error: unknown): error is Error {
  return (
    error instanceof StoredDamageError ||
    error instanceof VaultError ||
    error instanceof NoteError ||
    (error instanceof ServiceError && (error.remedy === 'stop-process' || error.code === 'content_damaged'))
  );
}

function slugsOf(workspaces: readonly { readonly slug: string }[]): string {
  return workspaces.length === 0 ? '(none)' : workspaces.map(({ slug }) => slug).join(', ');
}
