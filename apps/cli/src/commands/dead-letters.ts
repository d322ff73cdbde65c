import type { Command } from 'commander';
import type { DeadLetter } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseCount } from '../options.ts';
import { formatFields, formatTable } from '../table.ts';

type ListOptions = { readonly size?: number; readonly cursor?: string };

/** `dead-letters list` and `dead-letters replay`. */
export function addDeadLetterCommands(program: Command, context: Context): void {
  const letters = program.command('dead-letters').description('jobs that failed permanently');
  letters
    .command('list')
    .description('list the failed jobs and why they failed, newest failure first')
    .option('--size <n>', 'page size, 1 to 200', parseCount)
    .option('--cursor <cursor>', 'continue from the cursor of an earlier page')
    .action(async (options: ListOptions) => {
      const client = await context.connect();
      const page = await client.deadLetters.list(options);
      context.show({ json: page, table: () => formatLetters(page.items) });
      if (page.next_cursor !== null) context.note(`More results: --cursor ${page.next_cursor}`);
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
        table: () =>
          formatFields([
            ['id', replayed.id],
            ['topic', replayed.topic],
            ['replayed', replayed.replayed_at],
          ]),
      });
    });
}

function formatLetters(items: readonly DeadLetter[]): string {
  return formatTable(
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
