import type { Command } from 'commander';
import { SEARCH_SIZE_MAX, type SearchReading, searchRequest, type SearchResult } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readTextInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { given, parseCount } from '../options.ts';
import { asTable, type Block } from '../output/blocks.ts';
import { viewRecords } from '../record-view.ts';

type SearchOptions = { readonly timeZone: string; readonly size?: number };

/** `records search`: one text, whatever it is. */
export function addSearchCommand(records: Command, context: Context): void {
  records
    .command('search')
    .description('find records by an id, an idempotency key, a customer or session, a time or day, or an application')
    .argument('<text...>', 'what is known of the record; - reads it from standard input')
    .option('--time-zone <name>', 'zone of days and times', localZone())
    .option('--size <n>', `most records, at most ${SEARCH_SIZE_MAX}`, parseCount)
    .action(async (words: readonly string[], { timeZone, size }: SearchOptions) => {
      const joined = words.join(' ');
      const text = joined === '-' ? (await readTextInput(context.io, joined)).replace(/\r?\n$/, '') : joined;
      const request = parseWith(searchRequest, given({ text, time_zone: timeZone, size }));
      await context.report((client) => client.search.records(request), viewSearch);
    });
}

function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function viewSearch({ understood, not_understood: rest, items }: SearchResult): readonly Block[] {
  const found = understood.filter(({ total }) => total > 0);
  const readings = asTable(
    ['understood as', 'records', 'filters'],
    [
      ...(found.length > 0 ? found : understood).map((reading) => [
        reading.means.join(' and '),
        `${reading.total_relation === 'gte' ? 'at least ' : ''}${reading.total}`,
        formatFilters(reading),
      ]),
      ...(rest === null ? [] : [['not understood', '', rest]]),
    ],
  );
  return [readings, viewRecords(items)];
}

function formatFilters({ filters }: SearchReading): string {
  return Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
