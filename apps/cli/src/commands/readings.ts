import type { Command } from 'commander';
import { type Reading, readingFilters } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { addTimeFilters, fieldsOf } from '../options.ts';
import { asTable, type Block } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';

/** `readings list`: who read the texts of which records, and why. */
export function addReadingCommands(program: Command, context: Context): void {
  const list = program
    .command('readings')
    .description('who read the texts of which records, and why (managers only)')
    .command('list')
    .description('list readings, newest first; each is an entry of the log')
    .option('--actor-id <id>', 'only readings by this member or application')
    .option('--record <id>', 'only readings of this record');
  addPageOptions(addTimeFilters(list, context.io)).action(async (options: PageOptions) => {
    const filters = parseWith(readingFilters, fieldsOf(readingFilters, options));
    const found = await (await context.connect()).entries.readings(filters, pageOf(options));
    showList(context, found, viewReadings, options, 'readings');
  });
}

function viewReadings(items: readonly Reading[]): Block {
  return asTable(
    ['entry', 'at', 'reader', 'by', 'records', 'why', 'reason'],
    items.map(({ id, created_at: at, actor, names, operation, answer_log_ids: ids, reason_code: code, reason }) => [
      id,
      at,
      names.find((one) => one.id === actor.id)?.name ?? `${actor.kind} ${actor.id}`,
      operation ?? 'a reveal',
      ids.join(' '),
      code,
      reason,
    ]),
  );
}
