import { type Command, InvalidArgumentError } from 'commander';
import { type CsvOptions, csvQuery, SPREADSHEET_CSV } from '@answer-evidence/contracts';
import { given } from './options.ts';
import { UsageError } from './usage-error.ts';

/** Options of commands that write CSV. */
export type CsvFlags = { readonly bom?: boolean; readonly maxCellLength?: number; readonly excel?: boolean };

/** Adds the options of how CSV is written. */
export function addCsvOptions(command: Command): Command {
  return command
    .option('--bom', 'CSV: begin with a byte order mark, by which Excel knows UTF-8')
    .option('--max-cell-length <n>', 'CSV: cut longer cells, which then say so; Excel holds 32767', parseLength)
    .option('--excel', 'CSV for Excel: --bom --max-cell-length 32767');
}

/** What a request asks for. Throws `UsageError` where the format is another one. */
export function csvOptionsOf(format: 'jsonl' | 'csv', { bom, maxCellLength, excel }: CsvFlags): CsvOptions {
  const own = given({ bom: bom === true ? ('true' as const) : undefined, cell_length_max: maxCellLength });
  const options = { ...(excel === true ? SPREADSHEET_CSV : {}), ...own };
  if (format !== 'csv' && Object.keys(options).length > 0)
    throw new UsageError('--bom, --max-cell-length and --excel are for --format csv');
  return options;
}

function parseLength(text: string): number {
  const read = csvQuery.shape.cell_length_max.safeParse(text);
  if (read.data === undefined) throw new InvalidArgumentError('It must be a whole number of at least 100.');
  return read.data;
}
