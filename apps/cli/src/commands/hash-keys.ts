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
    .action(async () => {
      const client = await context.connect();
      const items = await client.hashKeys.list();
      context.show({ json: { items }, table: () => formatKeys(items) });
    });
  hashKeys
    .command('create')
    .description('create a key and activate it')
    .action(async () => {
      const client = await context.connect();
      const key = await client.hashKeys.create();
      context.show({ json: key, table: () => formatKeys([key]) });
    });
}

function formatKeys(keys: readonly HashKey[]): string {
  return formatTable(
    ['id', 'active', 'created'],
    keys.map((key) => [key.id, key.active, key.created_at]),
  );
}
