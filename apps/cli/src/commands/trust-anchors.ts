import type { Command } from 'commander';
import type { AnchorItem, CheckpointItem, WitnessItem } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseCount } from '../options.ts';
import { formatTable } from '../table.ts';

type PageOptions = { readonly page?: number; readonly size?: number };

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
  withPages(anchor.command('list').description('list anchors, newest first')).action((options: PageOptions) =>
    context.report((client) => client.trust.anchors(options), formatAnchors),
  );
  withPages(trust.command('checkpoints').description('list published checkpoints, newest first')).action(
    (options: PageOptions) => context.report((client) => client.trust.checkpoints(options), formatCheckpoints),
  );
  trust
    .command('witnesses')
    .description('show the state of each witness in the policy')
    .action(() => context.report(async (client) => ({ items: await client.trust.witnesses() }), formatWitnesses));
}

function withPages(command: Command): Command {
  return command.option('--page <n>', 'from 1', parseCount).option('--size <n>', '1 to 200', parseCount);
}

function formatAnchors({ items }: { readonly items: readonly AnchorItem[] }): string {
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

function formatCheckpoints({ items }: { readonly items: readonly CheckpointItem[] }): string {
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

function formatWitnesses({ items }: { readonly items: readonly WitnessItem[] }): string {
  return formatTable(
    ['name', 'cosigned size', 'failures', 'last error', 'asked again', 'vkey'],
    items.map((item) => [item.name, item.tree_size, item.failures, item.last_error, item.next_attempt_at, item.vkey]),
  );
}
