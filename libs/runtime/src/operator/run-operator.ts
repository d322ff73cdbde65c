import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { ServiceError } from '@answer-evidence/contracts';
import { SlugTakenError, checkStoredLedger } from '@answer-evidence/postgres';
import { parseConfig, type Config } from '../start/config.ts';
import { baseUrlOf, createWorkspaceWithManager } from '../start/first-workspace.ts';
import { assertDataDir, type Core, openCore } from '../start/open-core.ts';
import { joinDatabase } from '../start/open-database.ts';
import { StartError } from '../start/start-error.ts';

const USAGE = `usage:
  npm run ledger:check -- [--workspace SLUG] [--json]
  npm run workspace:create -- --slug SLUG --name "Display name" --manager USERNAME --config FILE`;

/** Writes a line to standard output. */
type Print = (line: string) => void;

/**
 * Runs an operator's command straight on the database, joining the embedded PostgreSQL of a running service or starting it.
 * Returns the exit code: 0 all well, 1 a fault was found, 2 the command cannot be run as given.
 */
export async function runOperator(args: readonly string[]): Promise<number> {
  const print: Print = (line) => process.stdout.write(`${line}\n`);
  const report = (line: string) => process.stderr.write(`answer-evidence: ${line}\n`);
  try {
    const config = parseConfig(process.env);
    const [command, ...rest] = args;
    switch (command) {
      case 'ledger-check':
        return await withCore(config, report, (core) => checkLedgers(core, rest, print, report));
      case 'workspace-create':
        return await withCore(config, report, (core) => createTenant(core, config, rest, print));
      default:
        throw new StartError(USAGE);
    }
  } catch (error) {
    if (error instanceof StartError || error instanceof SlugTakenError) report(error.message);
    else if (error instanceof TypeError && 'code' in error) report(`${error.message}\n${USAGE}`);
    else if (error instanceof ServiceError && error.remedy === 'retry') report(`${error.message}; run the command again`);
    else throw error;
    return 2;
  }
}

async function withCore(
  config: Config,
  report: (line: string) => void,
  run: (core: Core) => Promise<number>,
): Promise<number> {
  await assertDataDir(config);
  const database = await joinDatabase(config, report);
  try {
    const core = await openCore(config, database, report, { fatal: () => undefined, idleError: () => undefined });
    try {
      return await run(core);
    } finally {
      await core.close();
    }
  } finally {
    await database.close();
  }
}

async function checkLedgers(
  core: Core,
  args: readonly string[],
  print: Print,
  report: (line: string) => void,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { workspace: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const all = await core.directory.list();
  const chosen = values.workspace === undefined ? all : all.filter(({ slug }) => slug === values.workspace);
  if (chosen.length === 0 && values.workspace !== undefined)
    throw new StartError(`there is no workspace "${values.workspace}"; give --workspace one of: ${slugsOf(all)}`);
  if (chosen.length === 0) report('there is no workspace yet, so there is nothing to check');
  let faults = 0;
  for (const workspace of chosen) {
    report(`checking the ledger of "${workspace.slug}"`);
    const found = await checkStoredLedger(core.pool, workspace);
    faults += found.findings_total;
    if (values.json) {
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
    await core.assertHeadsHold();
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

async function createTenant(core: Core, config: Config, args: readonly string[], print: Print): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      slug: { type: 'string' },
      name: { type: 'string' },
      manager: { type: 'string' },
      config: { type: 'string' },
    },
  });
  const { slug, name, manager, config: file } = values;
  if (slug === undefined || name === undefined || manager === undefined || file === undefined)
    throw new StartError(USAGE);
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(slug))
    throw new StartError('a slug is 1 to 63 of a-z, 0-9 and "-", with no "-" at its ends');
  await assertNewFile(file);
  await createWorkspaceWithManager(core, baseUrlOf(config), { slug, displayName: name, username: manager }, file);
  print(
    `made the workspace "${slug}" and its manager "${manager}"; their token is in ${file} (export SERVICE_CONFIG=${file})`,
  );
  return 0;
}

/** Asked before the workspace is made: its manager's token is shown in this file and never again. */
async function assertNewFile(file: string): Promise<void> {
  if (existsSync(file)) throw new StartError(`${file} is there already and may hold another token; name a new file`);
  try {
    await access(dirname(file), constants.W_OK);
  } catch {
    throw new StartError(`no file can be made in ${dirname(file)}; give --config a path in a folder that is there`);
  }
}
