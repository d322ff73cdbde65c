import { type Command, Option } from 'commander';
import { recordFilters } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { addCsvOptions, type CsvFlags, csvOptionsOf } from '../csv-options.ts';
import { exportWindows } from '../export-windows.ts';
import { parseWith } from '../issues.ts';
import { addTimeFilters, fieldsOf } from '../options.ts';
import { formatTerminalLines } from '../output/terminal-text.ts';
import { createProgress } from '../progress.ts';
import { addReasonOptions, reasonOf, type ReasonOptions } from '../reason-options.ts';
import { describeFileError, findErrorCode, ofFile } from '../system-error.ts';
import { UsageError } from '../usage-error.ts';
import { APPROVAL_OPTION, ASK_OPTION, askFor } from './approvals.ts';

type Options = CsvFlags &
  ReasonOptions & {
    readonly format: 'jsonl' | 'csv';
    readonly out?: string;
    readonly all?: boolean;
    readonly approval?: string;
    readonly ask?: string;
  };

/** `records export`. */
export function addExportCommand(records: Command, context: Context): void {
  const command = records
    .command('export')
    .description('export whole records, oldest first, at most 200 per request')
    .addOption(new Option('--format <format>', 'format of the export').choices(['jsonl', 'csv']).makeOptionMandatory())
    .option('--out <file>', 'write to this file instead of standard output')
    .option('--all', 'repeat the request until every record is exported')
    .option('--application <key>', 'filter by application')
    .option('--environment <name>', 'filter by environment')
    .option(...APPROVAL_OPTION)
    .option(...ASK_OPTION);
  addReasonOptions(addCsvOptions(addTimeFilters(command, context.io))).action(async (options: Options) => {
    const { ask, approval, all = false, format } = options;
    if (all && (ask !== undefined || approval !== undefined))
      throw new UsageError('a second person approves one export: leave --all out, and name the windows');
    if (ask !== undefined)
      return askFor(context, ask, {
        export: { format, ...parseWith(recordFilters, fieldsOf(recordFilters, options)) },
      });
    if (options.out === undefined) {
      const { stdout } = context.io;
      // A program gets the bytes as they are; on a terminal strangers' texts would act.
      const show = (content: Uint8Array) =>
        stdout.write(stdout.isTerminal ? formatTerminalLines(new TextDecoder().decode(content)) : content);
      await writeWindows(context, options, show);
      return;
    }
    const { out } = options;
    const file = await ofFile(out, context.io.files.openReplacement(out));
    try {
      await writeWindows(context, options, (content) => file.append(content));
      await file.commit();
    } catch (error) {
      await file.abandon();
      throw findErrorCode(error) === undefined ? error : new UsageError(`${out}: ${describeFileError(error)}`);
    }
  });
}

async function writeWindows(
  context: Context,
  options: Options,
  write: (content: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const filters = parseWith(recordFilters, fieldsOf(recordFilters, options));
  const csv = csvOptionsOf(options.format, options);
  const reason = reasonOf(options);
  const client = await context.connect();
  const progress = createProgress(context.io);
  const approved = options.approval === undefined ? {} : { approval_id: options.approval };
  const windows = exportWindows(client.records, options.format, { ...filters, ...approved }, csv, reason);
  let leftFrom: string | null = null;
  try {
    for await (const window of windows) {
      await write(window.content);
      progress.update(
        `exported ${window.delivered}${window.matching === null ? '' : ` of ${window.matching}`} records`,
      );
      leftFrom = window.nextCreatedAfter;
      if (options.all !== true) break;
    }
  } finally {
    progress.end();
  }
  if (leftFrom !== null) context.note(`More records match: continue with --created-after ${leftFrom}, or use --all.`);
}
