import type { Command } from 'commander';
import type { Client } from '@answer-evidence/client';
import {
  SEARCH_SESSION_MINUTES,
  SEARCH_SIZE_MAX,
  type SearchReading,
  searchRequest,
  type SearchResult,
  type WordSearch,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readTextInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { given, parseCount } from '../options.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { addReasonOptions, reasonOf, type ReasonOptions } from '../reason-options.ts';
import { viewRecords } from '../record-view.ts';
import { UsageError } from '../usage-error.ts';

type SearchOptions = ReasonOptions & { readonly timeZone: string; readonly size?: number; readonly session?: string };

/** `records search`: one text, whatever it is; and `records words`, which says whether texts are searched. */
export function addSearchCommand(records: Command, context: Context): void {
  const search = records
    .command('search')
    .description(
      'find records by an id, an idempotency key, a customer or session, a time or day, an application, or words of texts',
    )
    .argument('<text...>', 'what is known of the record; - reads it from standard input')
    .option('--time-zone <name>', 'zone of days and times', localZone())
    .option('--size <n>', `most records, at most ${SEARCH_SIZE_MAX}`, parseCount)
    .option('--session <id>', `the reason of an earlier search, which holds for ${SEARCH_SESSION_MINUTES} minutes`);
  addReasonOptions(search).action(async (words: readonly string[], options: SearchOptions) => {
    const joined = words.join(' ');
    const text = joined === '-' ? (await readTextInput(context.io, joined)).replace(/\r?\n$/, '') : joined;
    const { timeZone, size, session } = options;
    const reason = reasonOf(options);
    if (reason !== undefined && session !== undefined)
      throw new UsageError('--session has a reason; give no other one');
    const request = parseWith(searchRequest, given({ text, time_zone: timeZone, size, session }));
    await context.report(async (client: Client) => {
      const opened = reason === undefined ? session : (await client.search.openSession(reason)).id;
      const result = await client.search.records(opened === undefined ? request : { ...request, session: opened });
      if (reason !== undefined && opened !== undefined) context.note(`further searches: --session ${opened}`);
      return result;
    }, viewSearch);
  });
  records
    .command('words')
    .description('whether texts are searched for their words, and how far they are indexed')
    .action(async () => {
      await context.report(
        (client) => client.search.words(),
        ({ state, indexed_entries: indexed, entries }) => [
          asFields([
            ['state', state],
            ['indexed entries', indexed],
            ['entries', entries],
          ]),
        ],
      );
    });
}

function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function viewSearch({ understood, not_understood: rest, items, words }: SearchResult): readonly Block[] {
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
  const said = words === null ? [] : sayOf(words);
  return [readings, ...said.map((text) => ({ kind: 'line', text }) as const), viewRecords(items)];
}

function formatFilters({ filters }: SearchReading): string {
  return Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** What became of the words of a search. */
function sayOf(words: WordSearch): readonly string[] {
  switch (words.state) {
    case 'off':
      return ['texts are not searched for words here; the setting answer_audit_word_search_enabled switches it on'];
    case 'needs_reason':
      return ['to search texts for words, give a --reason, which the log keeps, or the --session of an earlier search'];
    case 'none':
      return ['the words are in too many texts to find anything by them'];
    case 'searched':
      return [
        ...(words.used.length === 0 ? [] : [`words in the texts: ${words.used.join(', ')}`]),
        ...(words.left_out.length === 0 ? [] : [`words left out: ${words.left_out.join(', ')}`]),
        ...words.similar.map(({ word, instead }) => `no text has ${word}; looked for ${instead.join(', ')}`),
        ...(words.is_limited ? ['the words are so common that only the newest records with them were looked at'] : []),
        ...(words.is_complete ? [] : ['not all texts are indexed yet, so there may be more']),
      ];
  }
}
