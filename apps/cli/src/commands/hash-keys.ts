import type { Command } from 'commander';
import type { HashKey } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { formatTable } from '../table.ts';

/** `hash-keys list` and `hash-keys create`. */
export function addHashKeyCommands(program: Command, context: Context): void {
  const hashKeys = program.command('hash-keys').description('tenant keys for keyed commitments');
  hashKeys
    .command('list')
    .description('list the keys, without their bytes')
    .action(() => context.report(async (client) => ({ items: await client.hashKeys.list() }), formatKeys));
  hashKeys
    .command('create')
    .description('create a key and activate it')
    .action(() =>
      context.report(
        (client) => client.hashKeys.create(),
        (key) => formatKeys({ items: [key] }),
      ),
    );
}

function formatKeys({ items }: { readonly items: readonly HashKey[] }): string {
  return formatTable(
    ['id', 'active', 'created'],
    items.map((key) => [key.id, key.active, key.created_at]),
  );
}
