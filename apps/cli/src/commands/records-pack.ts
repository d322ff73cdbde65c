import type { Command } from 'commander';
import { createPackRequest } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { writeOutput } from '../files.ts';
import { parseWith } from '../issues.ts';

/** `records pack`. */
export function addPackCommand(records: Command, context: Context): void {
  records
    .command('pack')
    .description('make an evidence pack: one HTML file of records that verifies itself offline, in any browser')
    .argument('<id...>', 'ids of the records, at most 200')
    .requiredOption('--out <file>', 'write it to this file')
    .action(async (ids: readonly string[], options: { readonly out: string }) => {
      const body = parseWith(createPackRequest, { answer_log_ids: ids });
      const client = await context.connect();
      await writeOutput(context.io, options.out, await client.trust.pack(body));
      context.note(
        `Wrote ${options.out}. It holds the texts of the records; an entry of the log says that they left. ` +
          'Give its reader the fingerprints of the keys (`trust keys`) over another channel.',
      );
    });
}
