import { parseArgs } from 'node:util';
import { checkStoredLedger } from '@answer-evidence/postgres';
import { assertHeads } from '../start/assert-heads.ts';
import type { Stores } from '../start/open-stores.ts';
import { StartError } from '../start/start-error.ts';
import type { Operation, OperatorCommand } from './command.ts';
import { withStores } from './with-stores.ts';

type Options = { readonly workspace: string | undefined; readonly json: boolean };

/** Re-derives every ledger, also while the service refuses to start, and compares the heads kept outside. */
export const checkLedgersCommand: OperatorCommand = {
  name: 'ledger-check',
  usage: 'npm run ledger:check -- [--workspace SLUG] [--json]',
  parse(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { workspace: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    const options = { workspace: values.workspace, json: values.json };
    return (operation) => withStores(operation, (stores) => checkLedgers(stores, options, operation));
  },
};

async function checkLedgers(stores: Stores, options: Options, { print, report }: Operation): Promise<number> {
  const all = await stores.directory.list();
  const chosen = options.workspace === undefined ? all : all.filter(({ slug }) => slug === options.workspace);
  if (chosen.length === 0 && options.workspace !== undefined)
    throw new StartError(`there is no workspace "${options.workspace}"; use --workspace with one of: ${slugsOf(all)}`);
  if (chosen.length === 0) report('there is no workspace yet; nothing to check');
  let faults = 0;
  for (const workspace of chosen) {
    report(`checking the ledger of "${workspace.slug}"`);
    const found = await checkStoredLedger(stores.pool, workspace);
    faults += found.findings_total;
    if (options.json) {
      print(JSON.stringify({ workspace: workspace.slug, ...found }));
      continue;
    }
    print(`${workspace.slug}: ${found.outcome}, ${found.entries_checked} of ${found.tree_size} entries re-derived`);
    for (const finding of found.findings)
      print(`  FAIL ${finding.check}: ${finding.object} (leaf ${finding.leaf_index ?? '-'}): ${finding.detail}`);
    if (found.findings_total > found.findings.length)
      print(`  and ${found.findings_total - found.findings.length} more`);
  }
  try {
    await assertHeads(stores);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    print(`FAIL outside_head: ${error.message}`);
    faults += 1;
  }
  return faults === 0 ? 0 : 1;
}

function slugsOf(workspaces: readonly { readonly slug: string }[]): string {
  return workspaces.length === 0 ? '(none)' : workspaces.map(({ slug }) => slug).join(', ');
}
