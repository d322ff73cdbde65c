import { parseArgs } from 'node:util';
import { type LedgerCheckReport, ServiceError } from '@answer-evidence/contracts';
import { NoteError } from '@answer-evidence/note';
import { StoredDamageError, VaultError, type Workspace } from '@answer-evidence/ports';
import {
  checkInstallation,
  checkStoredLedger,
  listStoredWorkspaces,
  type StoredWorkspace,
} from '@answer-evidence/postgres';
import { checkWholeLedger } from '@answer-evidence/stage-trust';
import { describeLostWorkspaces } from '../start/describe-lost-workspaces.ts';
import { adviceOn } from '../start/head-start-error.ts';
import type { BareStores } from '../start/open-stores.ts';
import { StartError } from '../start/start-error.ts';
import { labelOf } from '../token-keys/token-keys.ts';
import type { Operation, OperatorCommand } from './command.ts';
import { withBareStores } from './with-stores.ts';

type Options = { readonly workspace: string | undefined; readonly json: boolean };

/** Re-derives every ledger, also while the service refuses to start, and compares the heads kept outside. */
export const checkLedgersCommand: OperatorCommand = {
  name: 'ledger-check',
  usage: 'npm run ledger:check -- [--workspace SLUG] [--json]',
  purpose: 'Re-derives every ledger from what is stored and compares it with the heads kept outside the database.',
  parse(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { workspace: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    const options = { workspace: values.workspace, json: values.json };
    return (operation) => withBareStores(operation, (stores) => checkLedgers(stores, options, operation));
  },
};

async function checkLedgers(stores: BareStores, options: Options, operation: Operation): Promise<number> {
  const { print, report } = operation;
  const all = await listStoredWorkspaces(stores.pool, stores.vault);
  const chosen = options.workspace === undefined ? all : all.filter(({ slug }) => slug === options.workspace);
  if (chosen.length === 0 && options.workspace !== undefined)
    throw new StartError(`there is no workspace "${options.workspace}"; use --workspace with one of: ${slugsOf(all)}`);
  if (chosen.length === 0) report('there is no workspace yet; nothing to check');
  let faults = 0;
  for (const workspace of chosen) faults += await checkWorkspace(stores, workspace, options, operation);
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
  stores: BareStores,
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
    found = await checkWholeLedger(
      {
        checkStored: (checked) => checkStoredLedger(stores.pool, checked, stores.turn),
        logs: stores.storedLogs,
        headStore,
      },
      workspace,
      ({ code, detail, where }) => adviceOn(code, detail + where),
    );
  } catch (error) {
    if (!isDamage(error)) throw error;
    const detail = `${error.message}: nothing of it can be checked; restore the newest backup`;
    print(options.json ? JSON.stringify({ workspace: slug, outcome: 'FAIL', detail }) : `${slug}: FAIL, ${detail}`);
    return 1;
  }
  if (options.json) print(JSON.stringify({ workspace: slug, ...found }));
  else {
    print(`${slug}: ${found.outcome}, ${found.entries_checked} of ${found.tree_size} entries re-derived`);
    for (const finding of found.findings)
      print(`  FAIL ${finding.check}: ${finding.object} (leaf ${finding.leaf_index ?? '-'}): ${finding.detail}`);
    if (found.findings_total > found.findings.length)
      print(`  and ${found.findings_total - found.findings.length} more`);
  }
  return found.findings_total;
}

/** What a damaged row makes the service say, as against a database that is unavailable or a fault of the check. */
function isDamage(error: unknown): error is Error {
  return (
    error instanceof StoredDamageError ||
    error instanceof VaultError ||
    error instanceof NoteError ||
    (error instanceof ServiceError && error.remedy === 'stop-process')
  );
}

function slugsOf(workspaces: readonly { readonly slug: string }[]): string {
  return workspaces.length === 0 ? '(none)' : workspaces.map(({ slug }) => slug).join(', ');
}
