import type { Command } from 'commander';
import { createPackRequest } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { writeOutput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { given } from '../options.ts';
import { addReasonOptions, reasonOf, type ReasonOptions } from '../reason-options.ts';
import { APPROVAL_OPTION, ASK_OPTION, askFor } from './approvals.ts';

type Options = ReasonOptions & {
  readonly out: string;
  readonly withholdTexts?: boolean;
  readonly recipient?: string;
  readonly purpose?: string;
  readonly proofLinks?: boolean;
  readonly approval?: string;
  readonly ask?: string;
};

/** `records pack`. */
export function addPackCommand(records: Command, context: Context): void {
  const command = records
    .command('pack')
    .description('make an evidence pack: one HTML file of records that verifies itself offline, in any browser')
    .argument('<id...>', 'ids of the records, at most 200')
    .requiredOption('--out <file>', 'write it to this file, or - for standard output')
    .option('--withhold-texts', 'leave out the texts of question, answer and corrections')
    .option('--recipient <text>', 'for whom it is made; stands on its cover and in the log')
    .option('--purpose <text>', 'what it is made for; stands on its cover and in the log')
    .option('--proof-links', 'make a link of 30 days to each record, and put its QR code into the pack')
    .option(...APPROVAL_OPTION)
    .option(...ASK_OPTION);
  addReasonOptions(command).action(
    async (ids: readonly string[], { out, withholdTexts: withholds = false, ...options }: Options) => {
      const { recipient, purpose, proofLinks, approval, ask } = options;
      const asked = given({
        texts: withholds ? 'withheld' : undefined,
        recipient,
        purpose,
        proof_links: proofLinks === true ? {} : undefined,
        approval_id: approval,
      });
      const body = parseWith(createPackRequest, { answer_log_ids: ids, ...asked });
      if (ask !== undefined) return askFor(context, ask, { pack: body });
      const reason = reasonOf(options);
      const client = await context.connect();
      await writeOutput(context.io, out, await client.trust.pack(body, reason));
      context.note(
        `Wrote ${out === '-' ? 'the pack' : out}. It ${withholds ? 'withholds' : 'contains'} the texts of the records; an entry of the log names it. ` +
          'Give its reader the fingerprints of the keys (`trust keys`) over another channel.',
      );
    },
  );
}
