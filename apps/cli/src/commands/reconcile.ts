import { type Command, Option } from 'commander';
import { FINDING_TYPES, type FindingType } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { addCsvOptions, type CsvFlags, csvOptionsOf } from '../csv-options.ts';
import { writeResult } from '../files.ts';
import { given } from '../options.ts';
import { formatJsonText } from '../output/terminal-text.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { viewFindings } from '../reconcile/finding-view.ts';
import { viewRun, viewRuns } from '../reconcile/run-view.ts';
import { writePieces } from '../write-pieces.ts';
import { addRunCommand } from './reconcile-run.ts';
import { addTriageCommands } from './reconcile-triage.ts';
import { addReconcileVerifyCommand } from './reconcile-verify.ts';

/** `reconcile run|list|show|findings|proof|records|triage|verify`. */
export function addReconcileCommands(program: Command, context: Context): void {
  const reconcile = program.command('reconcile').description('compare your own list with the stored records');
  addRunCommand(reconcile, context);
  addListCommand(reconcile, context);
  reconcile
    .command('show')
    .description('show a run')
    .argument('<run>', 'id of the run')
    .action((id: string) => context.report((client) => client.reconciliations.get(id), viewRun));
  addFindingsCommand(reconcile, context);
  addProofCommand(reconcile, context);
  addRecordsCommand(reconcile, context);
  addTriageCommands(reconcile, context);
  addReconcileVerifyCommand(reconcile, context);
}

function addListCommand(reconcile: Command, context: Context): void {
  addPageOptions(
    reconcile
      .command('list')
      .description('list runs, newest first')
      .option('--application <key>', 'filter by application')
      .option('--environment <name>', 'filter by environment'),
  ).action(async (options: PageOptions & { readonly application?: string; readonly environment?: string }) => {
    const filters = given({ application_key: options.application, environment: options.environment });
    const client = await context.connect();
    const page = await client.reconciliations.list(filters, pageOf(options));
    showList(context, page, (runs) => viewRuns(runs, false), options, 'runs');
  });
}

type FindingOptions = PageOptions &
  CsvFlags & {
    readonly type?: FindingType;
    readonly format?: 'jsonl' | 'csv';
    readonly out?: string;
  };

function addFindingsCommand(reconcile: Command, context: Context): void {
  addCsvOptions(
    addPageOptions(
      reconcile
        .command('findings')
        .description('list the findings of a run')
        .argument('<run>', 'id of the run')
        .addOption(new Option('--type <type>', 'filter by type').choices(FINDING_TYPES))
        .addOption(new Option('--format <format>', 'write every finding in this file format').choices(['jsonl', 'csv']))
        .option('--out <file>', 'write to this file instead of standard output'),
    ),
  ).action(async (id: string, options: FindingOptions) => {
    const format = options.format ?? (/\.csv$/i.test(options.out ?? '') ? 'csv' : 'jsonl');
    const csv = csvOptionsOf(format, options);
    const client = await context.connect();
    if (options.format !== undefined || options.out !== undefined) {
      const pieces = await client.reconciliations.exportFindings(id, format, options.type, csv);
      return writePieces(context, options.out, pieces);
    }
    const page = await client.reconciliations.findings(id, given({ type: options.type }), pageOf(options));
    showList(context, page, viewFindings, options, 'findings');
  });
}

function addProofCommand(reconcile: Command, context: Context): void {
  reconcile
    .command('proof')
    .description('export the proof of a completed run, for `reconcile verify`')
    .argument('<run>', 'id of the run')
    .option('--out <file>', 'write to this file instead of standard output')
    .action(async (id: string, options: { readonly out?: string }) => {
      const client = await context.connect();
      await writeResult(context, options.out, formatJsonText(await client.reconciliations.proof(id)), 'the proof');
    });
}

function addRecordsCommand(reconcile: Command, context: Context): void {
  reconcile
    .command('records')
    .description('export the record set of a completed run as JSONL, for `reconcile verify`')
    .argument('<run>', 'id of the run')
    .option('--out <file>', 'write to this file instead of standard output')
    .action(async (id: string, options: { readonly out?: string }) => {
      const client = await context.connect();
      await writePieces(context, options.out, await client.reconciliations.records(id));
    });
}
