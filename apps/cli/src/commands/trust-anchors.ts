import type { Command } from 'commander';
import type { AnchorItem, CheckpointItem, WitnessItem } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { formatTable } from '../table.ts';
import { UsageError } from '../usage-error.ts';

type PageOptions = { readonly page?: string; readonly size?: string };

/** `trust anchor run`, `trust anchor list`, `trust checkpoints` and `trust witnesses`. */
export function addTrustAnchorCommands(trust: Command, context: Context): void {
  const anchor = trust.command('anchor').description('anchor published checkpoints');
  anchor
    .command('run')
    .description('publish a checkpoint, ask the witnesses, and anchor now')
    .action(async () => {
      const client = await context.connect();
      const jobId = await client.trust.runAnchors();
      context.show({
        json: { accepted: true, job_id: jobId },
        table: () => 'Queued; it starts within about a second.\n',
      });
      context.note('See `trust anchor list` for the result.');
    });
  withPages(anchor.command('list').description('list anchors, newest first')).action(async (options: PageOptions) => {
    const client = await context.connect();
    const page = await client.trust.anchors(parsePage(options));
    context.show({ json: page, table: () => formatAnchors(page.items) });
  });
  withPages(trust.command('checkpoints').description('list published checkpoints, newest first')).action(
    async (options: PageOptions) => {
      const client = await context.connect();
      const page = await client.trust.checkpoints(parsePage(options));
      context.show({ json: page, table: () => formatCheckpoints(page.items) });
    },
  );
  trust
    .command('witnesses')
    .description('show the state of each witness in the policy')
    .action(async () => {
      const client = await context.connect();
      const items = await client.trust.witnesses();
      context.show({ json: { items }, table: () => formatWitnesses(items) });
    });
}

function withPages(command: Command): Command {
  return command.option('--page <n>', 'from 1').option('--size <n>', '1 to 200');
}

function parsePage({ page, size }: PageOptions): { readonly page?: number; readonly size?: number } {
  const parse = (text: string, name: string) => {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} must be a whole number from 1`);
    return Number(text);
  };
  return {
    ...(page === undefined ? {} : { page: parse(page, 'page') }),
    ...(size === undefined ? {} : { size: parse(size, 'size') }),
  };
}

function formatAnchors(items: readonly AnchorItem[]): string {
  return formatTable(
    ['tree size', 'anchor', 'type', 'state', 'anchored at', 'attempts', 'last attempt'],
    items.map((item) => [
      item.tree_size,
      item.anchor_id,
      item.type,
      item.state,
      item.anchored_at,
      item.attempts.length,
      item.attempts.at(-1)?.detail ?? null,
    ]),
  );
}

function formatCheckpoints(items: readonly CheckpointItem[]): string {
  return formatTable(
    ['tree size', 'published', 'root', 'witnesses', 'quorum'],
    items.map((item) => [
      item.tree_size,
      item.published_at,
      item.root_hash,
      item.cosignatures.length === 0 ? null : item.cosignatures.map(({ witness }) => witness).join(' '),
      item.quorum_reached === null ? 'none asked' : item.quorum_reached ? 'reached' : 'not reached',
    ]),
  );
}

function formatWitnesses(items: readonly WitnessItem[]): string {
  return formatTable(
    ['name', 'cosigned size', 'failures', 'last error', 'asked again', 'vkey'],
    items.map((item) => [item.name, item.tree_size, item.failures, item.last_error, item.next_attempt_at, item.vkey]),
  );
}
