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

const SLUG = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Writes a line. */
type Print = (line: string) => void;

type CheckCommand = { readonly kind: 'ledger-check'; readonly workspace: string | undefined; readonly json: boolean };
type CreateCommand = {
  readonly kind: 'workspace-create';
  readonly slug: string;
  readonly name: string;
  readonly manager: string;
  readonly file: string;
};

/**
 * Runs an operator's command straight on the database, joining the embedded PostgreSQL of a running service or starting it.
 * Returns the exit code: 0 all well, 1 a fault was found, 2 the command cannot be run as given.
 */
export async function runOperator(args: readonly string[]): Promise<number> {
  const print: Print = (line) => process.stdout.write(`${line}\n`);
  const report = (line: string) => process.stderr.write(`answer-evidence: ${line}\n`);
  try {
    // Read whole before anything is opened: a slip of the pen makes no database.
    const command = parseCommand(args);
    const config = parseConfig(process.env);
    return await withCore(config, report, (core) =>
      command.kind === 'ledger-check'
        ? checkLedgers(core, command, print, report)
        : createTenant(core, config, command, print),
    );
  } catch (error) {
    if (error instanceof StartError || error instanceof SlugTakenError) report(error.message);
    else if (error instanceof TypeError && 'code' in error) report(`${error.message}\n${USAGE}`);
    else if (error instanceof ServiceError && error.remedy === 'retry')
      report(`${error.message}; run the command again`);
    else throw error;
    return 2;
  }
}

function parseCommand(args: readonly string[]): CheckCommand | CreateCommand {
  const [kind, ...rest] = args;
  switch (kind) {
    case 'ledger-check': {
      const { values } = parseArgs({
        args: rest,
        options: { workspace: { type: 'string' }, json: { type: 'boolean', default: false } },
      });
      return { kind, workspace: values.workspace, json: values.json };
    }
    case 'workspace-create': {
      const option = { type: 'string' } as const;
      const { values } = parseArgs({
        args: rest,
        options: { slug: option, name: option, manager: option, config: option },
      });
      const { slug, name, manager, config } = values;
      if (!isGiven(slug) || !isGiven(name) || !isGiven(manager) || !isGiven(config)) throw new StartError(USAGE);
      if (!SLUG.test(slug)) throw new StartError('a slug is 1 to 63 of a-z, 0-9 and "-", with no "-" at its ends');
      return { kind, slug, name, manager, file: config };
    }
    default:
      throw new StartError(USAGE);
  }
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
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

async function checkLedgers(core: Core, command: CheckCommand, print: Print, report: Print): Promise<number> {
  const all = await core.directory.list();
  const chosen = command.workspace === undefined ? all : all.filter(({ slug }) => slug === command.workspace);
  if (chosen.length === 0 && command.workspace !== undefined)
    throw new StartError(`there is no workspace "${command.workspace}"; give --workspace one of: ${slugsOf(all)}`);
  if (chosen.length === 0) report('there is no workspace yet, so there is nothing to check');
  let faults = 0;
  for (const workspace of chosen) {
    report(`checking the ledger of "${workspace.slug}"`);
    const found = await checkStoredLedger(core.pool, workspace);
    faults += found.findings_total;
    if (command.json) {
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

async function createTenant(core: Core, config: Config, command: CreateCommand, print: Print): Promise<number> {
  const { slug, name, manager, file } = command;
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
