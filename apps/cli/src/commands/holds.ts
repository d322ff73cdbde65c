import { type Command, Option } from 'commander';
import {
  type Hold,
  holdFilters,
  placeHoldRequest,
  RECORD_FILTER_COLUMNS,
  releaseHoldRequest,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { addTimeFilters, collect, fieldsOf } from '../options.ts';
import { asFields, asTable, type Block, type Cell } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { viewRecords } from '../record-view.ts';
import { UsageError } from '../usage-error.ts';
import { ASK_OPTION, askFor } from './approvals.ts';

type PlaceOptions = Readonly<Record<string, unknown>> & {
  readonly reason: string;
  readonly record: readonly string[];
  readonly everything?: boolean;
  readonly ask?: string;
};
type ListOptions = PageOptions & { readonly status?: 'in_force' | 'released' };

const OF_HOLD = 'id of the hold';

/** `holds place`, `list`, `show`, `records` and `release`. */
export function addHoldCommands(program: Command, context: Context): void {
  const holds = program
    .command('holds')
    .description('what keeps records from expiry and redaction (managers; auditors read)');
  addPlaceCommand(holds, context);
  const list = holds
    .command('list')
    .description('list the holds, newest first')
    .addOption(new Option('--status <status>', 'only these').choices(['in_force', 'released']));
  addPageOptions(list).action(async (options: ListOptions) => {
    const { status } = options;
    const client = await context.connect();
    const page = await client.holds.list({ ...pageOf(options), ...(status === undefined ? {} : { status }) });
    showList(context, page, viewHolds, options, 'holds');
  });
  holds
    .command('show')
    .description('show a hold, and how many records it covers')
    .argument('<id>', OF_HOLD)
    .action(async (id: string) => showHold(context, await (await context.connect()).holds.get(id)));
  const records = holds
    .command('records')
    .description('list the records that a hold covers, newest first')
    .argument('<id>', OF_HOLD);
  addPageOptions(records).action(async (id: string, options: PageOptions) => {
    const client = await context.connect();
    showList(context, await client.holds.records(id, pageOf(options)), viewRecords, options, 'records');
  });
  holds
    .command('release')
    .description('release a hold; what was due meanwhile expires in the next sweep')
    .argument('<id>', OF_HOLD)
    .requiredOption('--reason <text>', 'why; the log keeps it for ever')
    .option(...ASK_OPTION)
    .action(async (id: string, { reason, ask }: { readonly reason: string; readonly ask?: string }) => {
      const request = parseWith(releaseHoldRequest, { reason });
      if (ask !== undefined) return askFor(context, ask, { hold_release: { hold_id: id, ...request } });
      showHold(context, await (await context.connect()).holds.release(id, request));
    });
}

function addPlaceCommand(holds: Command, context: Context): void {
  const command = holds
    .command('place')
    .description('put records on hold, those that match and are recorded later too')
    .argument('<matter>', 'name of the matter')
    .requiredOption('--reason <text>', 'why; the log keeps it for ever')
    .option('--record <id>', 'this record, and no filter (repeatable)', collect, [])
    .option('--application <key>', 'records of this application');
  for (const column of RECORD_FILTER_COLUMNS)
    if (column !== 'application_key')
      command.option(`--${column.replaceAll('_', '-')} <value>`, `records with this ${column.replaceAll('_', ' ')}`);
  addTimeFilters(command, context.io)
    .option('--everything', 'every record of the workspace')
    .option(...ASK_OPTION)
    .action(async (matter: string, options: PlaceOptions) => {
      const { reason, record: ids, everything = false, ask } = options;
      const filters = fieldsOf(holdFilters, options);
      const named = [ids.length > 0, Object.keys(filters).length > 0, everything].filter(Boolean).length;
      if (named !== 1)
        throw new UsageError('say which records: by filters, by --record, or --everything, and only by one of them');
      const covered = ids.length > 0 ? { answer_log_ids: ids } : { filters };
      const request = parseWith(placeHoldRequest, { matter, reason, ...covered });
      if (ask !== undefined) return askFor(context, ask, { hold: request });
      showHold(context, await (await context.connect()).holds.place(request));
    });
}

function showHold(context: Context, hold: Hold): void {
  context.show({ json: hold, blocks: () => asFields(describe(hold)), quiet: [hold.id] });
}

function describe(hold: Hold): (readonly [string, Cell])[] {
  const { release } = hold;
  return [
    ['id', hold.id],
    ['matter', hold.matter],
    ['reason', hold.reason],
    ['covers', sayCovered(hold)],
    ['records', sayCount(hold)],
    ['placed', hold.placed_at],
    ['placed by', hold.placed_by.id],
    ['released', release === null ? 'no' : release.released_at],
    ['released by', release?.released_by.id ?? null],
    ['reason of the release', release?.reason ?? null],
    ['leaf', hold.ledger.leaf_index],
  ];
}

function viewHolds(holds: readonly Hold[]): Block {
  return asTable(
    ['placed', 'id', 'matter', 'covers', 'records', 'released'],
    holds.map((hold) => [
      hold.placed_at,
      hold.id,
      hold.matter,
      sayCovered(hold),
      sayCount(hold),
      hold.release?.released_at ?? null,
    ]),
  );
}

function sayCovered({ filters }: Hold): string {
  if (filters === null) return 'named records';
  const named = Object.entries(filters).map(([name, value]) => `${name}=${value}`);
  return named.length === 0 ? 'every record' : named.join(' ');
}

function sayCount({ records: { count, relation } }: Hold): string {
  return relation === 'gte' ? `at least ${count}` : String(count);
}
