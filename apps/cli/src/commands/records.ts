import { type Command, Option } from 'commander';
import { CHECKS, RECORD_STATUSES, recordFilters } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import {
  addDemandOptions,
  addLanguageOption,
  assertKnownDemands,
  type DemandOptions,
  type LanguageOption,
} from '../demands.ts';
import { writeOutput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { keepMismatch } from '../keep-mismatch.ts';
import { collectAll } from '../list-records.ts';
import { addTimeFilters, fieldsOf } from '../options.ts';
import { formatJsonText } from '../output/terminal-text.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { addReasonOptions, reasonOf, type ReasonOptions } from '../reason-options.ts';
import { viewRecord, viewRecords } from '../record-view.ts';
import { viewVerification } from '../verification-view.ts';
import { addCreateCommand } from './records-create.ts';
import { addEventCommand } from './records-event.ts';
import { addExportCommand } from './records-export.ts';
import { addImportCommand } from './records-import.ts';
import { addLinkCommands } from './records-link.ts';
import { addPackCommand } from './records-pack.ts';
import { addSearchCommand } from './records-search.ts';

type GetOptions = ReasonOptions &
  LanguageOption & { readonly out?: string; readonly receiptOut?: string; readonly entryOut?: string };
type ListOptions = PageOptions & { readonly all?: boolean };

/** `records list|search|words|get|create|event|export|import|pack|link|verify`. */
export function addRecordCommands(program: Command, context: Context): void {
  const records = program.command('records').description('answer records');
  addListCommand(records, context);
  addSearchCommand(records, context);
  addGetCommand(records, context);
  addCreateCommand(records, context);
  addEventCommand(records, context);
  addExportCommand(records, context);
  addImportCommand(records, context);
  addPackCommand(records, context);
  addLinkCommands(records, context);
  const verify = records
    .command('verify')
    .description('have the service recompute every check of a record (offline: `verify`)')
    .argument('<id>', 'id of the record');
  addLanguageOption(addDemandOptions(verify)).action(async (id: string, options: DemandOptions & LanguageOption) => {
    assertKnownDemands(options, CHECKS);
    const client = await context.connect();
    const verification = await client.records.verify(id);
    const blocks = () => viewVerification(verification, undefined, options.summary, options.language);
    context.show({ json: verification, blocks });
    context.settleDemanded(verification.checks, options);
  });
}

function addListCommand(records: Command, context: Context): void {
  const command = records
    .command('list')
    .description('list records, newest first')
    .option('--application <key>', 'filter by application')
    .option('--environment <name>', 'filter by environment')
    .addOption(new Option('--status <status>', 'filter by status').choices(RECORD_STATUSES))
    .option('--idempotency-key <key>', 'filter by idempotency key')
    .option('--external-trace-id <id>', 'filter by external trace id')
    .option('--external-message-id <id>', 'filter by external message id')
    .option('--mode <mode>', 'filter by application mode')
    .option('--actor-id-hash <hash>', 'filter by actor')
    .option('--session-id-hash <hash>', 'filter by session id hash');
  addTimeFilters(addPageOptions(command), context.io)
    .option('--all', 'list every record, page by page')
    .action(async (options: ListOptions) => {
      const filters = parseWith(recordFilters, fieldsOf(recordFilters, options));
      const client = await context.connect();
      if (options.all === true) {
        const items = await collectAll(context.io, client.records.listAll(filters, options.size ?? 200));
        return showList(context, { items, total: items.length }, viewRecords, options, 'records');
      }
      const list = await client.records.list(filters, pageOf(options));
      showList(context, list, viewRecords, options, 'records');
    });
}

function addGetCommand(records: Command, context: Context): void {
  const command = records
    .command('get')
    .description('show one record with its events')
    .argument('<id>', 'id of the record')
    .option('--out <file>', 'write the record as JSON to this file')
    .option('--receipt-out <file>', 'write its receipt (.tlog-proof) to this file')
    .option('--entry-out <file>', 'write its ledger entry to this file');
  addLanguageOption(addReasonOptions(command)).action(async (id: string, options: GetOptions) => {
    const reason = reasonOf(options);
    const client = await context.connect();
    const record = await keepMismatch(context, options.receiptOut, client.records.get(id, reason));
    if (options.out === undefined) context.show({ json: record, blocks: () => viewRecord(record, options.language) });
    else await writeOutput(context.io, options.out, formatJsonText(record));
    if (options.receiptOut !== undefined) await writeOutput(context.io, options.receiptOut, record.receipt);
    if (options.entryOut !== undefined) await writeOutput(context.io, options.entryOut, record.ledger.entry);
  });
}
