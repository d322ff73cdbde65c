import type { Command } from 'commander';
import {
  type AnchorItem,
  type CheckpointItem,
  type RunAnchorsRequest,
  runAnchorsRequest,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { asTable, type Block } from '../output/blocks.ts';
import { addNumberedPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { UsageError } from '../usage-error.ts';

/** `trust anchor run`, `trust anchor list` and `trust checkpoints`. */
export function addTrustAnchorCommands(trust: Command, context: Context): void {
  const anchor = trust.command('anchor').description('anchor published checkpoints');
  anchor
    .command('run')
    .description('publish a checkpoint, ask the witnesses, and anchor now')
    .option('--renew', 'renew all time-stamps instead, because an algorithm or authority weakens')
    .option('--hash <hash>', 'with --renew, hash everything anew, because SHA-256 weakens: sha-512')
    .action(async ({ renew, hash }: { readonly renew?: true; readonly hash?: string }) => {
      const client = await context.connect();
      const jobId = await client.trust.runAnchors(readRun(renew, hash));
      context.show({
        json: { accepted: true, job_id: jobId },
        blocks: () => ({ kind: 'line', text: 'Queued; it starts within about a second.' }),
      });
      context.note('See `trust anchor list` for the result.');
    });
  addNumberedPageOptions(anchor.command('list').description('list anchors, newest first')).action(
    async (options: PageOptions) => {
      const client = await context.connect();
      showList(context, await client.trust.anchors(pageOf(options)), viewAnchors, options, 'anchors');
    },
  );
  addNumberedPageOptions(trust.command('checkpoints').description('list published checkpoints, newest first')).action(
    async (options: PageOptions) => {
      const client = await context.connect();
      showList(context, await client.trust.checkpoints(pageOf(options)), viewCheckpoints, options, 'checkpoints');
    },
  );
}

function readRun(renew: true | undefined, hash: string | undefined): RunAnchorsRequest {
  if (hash !== undefined && renew === undefined) throw new UsageError('--hash needs --renew');
  return parseWith(runAnchorsRequest, { ...(renew && { renew }), ...(hash !== undefined && { hash }) });
}

function viewAnchors(items: readonly AnchorItem[]): Block {
  return asTable(
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

function viewCheckpoints(items: readonly CheckpointItem[]): Block {
  return asTable(
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
