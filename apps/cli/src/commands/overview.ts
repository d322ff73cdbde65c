import type { Command } from 'commander';
import type { Overview } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseCount } from '../options.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';

type Options = { readonly days?: number; readonly application?: string };

/** `overview`: what needs somebody in the workspace, and how many answers there were. */
export function addOverviewCommand(program: Command, context: Context): void {
  program
    .command('overview')
    .description('say what needs somebody, and how many answers there were')
    .option('--days <number>', 'how many days, up to 3660 (default 30)', parseCount)
    .option('--application <key>', 'answers of this application alone')
    .action(async (options: Options) => {
      const client = await context.connect();
      const overview = await client.overview.get({ days: options.days, application_key: options.application });
      context.show({ json: overview, blocks: () => view(overview) });
    });
}

function view(overview: Overview): readonly Block[] {
  const { log, counted, counts } = overview;
  return [
    asTable(
      ['severity', 'what', 'since', 'where in the console'],
      overview.attention.map(({ severity, sentence, since, place }) => [severity, sentence, since ?? '', place]),
    ),
    asFields([
      ['needs you', String(overview.attention.length)],
      ['entries', String(log.tree_size)],
      ['not vouched for', String(log.exposed_entries)],
      ['counted', `${counted.entries} entries, as of ${counted.as_of ?? 'never'}`],
    ]),
    asTable(
      [overview.unit, 'application', 'recorded', 'corrected', 'voided', 'redacted', 'listed', 'missing', 'readings'],
      counts.map((one) => [
        one.from,
        one.application_key ?? '(others)',
        ...[one.recorded, one.corrected, one.voided, one.redacted, one.listed, one.missing].map(String),
        one.readings === null ? '' : String(one.readings),
      ]),
    ),
  ];
}
