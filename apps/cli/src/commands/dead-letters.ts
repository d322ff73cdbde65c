import type { Command } from 'commander';
import type { DeadLetter } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { addCursorOptions, pageOf, type PageOptions, showList } from '../paging.ts';

/** `dead-letters list` and `dead-letters replay`. */
export function addDeadLetterCommands(program: Command, context: Context): void {
  const letters = program.command('dead-letters').description('jobs that failed permanently');
  addCursorOptions(
    letters.command('list').description('list the failed jobs and why they failed, newest failure first'),
  ).action(async (options: PageOptions) => {
    const client = await context.connect();
    const page = await client.deadLetters.list(pageOf(options));
    showList(context, page, viewLetters, options, 'failed jobs');
  });
  letters
    .command('replay')
    .description('retry a failed job (safe to repeat)')
    .argument('<id>', 'id of the job')
    .action(async (id: string) => {
      const client = await context.connect();
      const replayed = await client.deadLetters.replay(id);
      context.show({
        json: replayed,
        blocks: () =>
          asFields([
            ['id', replayed.id],
            ['topic', replayed.topic],
            ['replayed', replayed.replayed_at],
          ]),
      });
    });
}

function viewLetters(items: readonly DeadLetter[]): Block {
  return asTable(
    ['id', 'topic', 'subject', 'attempts', 'failed', 'reason'],
    items.map(({ id, topic, subject, attempts, failed_at: failedAt, reason }) => [
      id,
      topic,
      subject,
      String(attempts),
      failedAt,
      `${reason.code}: ${reason.detail}`,
    ]),
  );
}
