import type { Command } from 'commander';
import { hashIdRequest, type HashKey, type IdHashList } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readTextInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { asTable, type Block } from '../output/blocks.ts';

/** `hash-keys list`, `hash-keys create` and `hash-keys hash-id`. */
export function addHashKeyCommands(program: Command, context: Context): void {
  const hashKeys = program.command('hash-keys').description('tenant keys for keyed hashes');
  hashKeys
    .command('list')
    .description('list the keys, without their bytes')
    .action(() => context.report(async (client) => ({ items: await client.hashKeys.list() }), viewKeys));
  hashKeys
    .command('create')
    .description('create a key and activate it')
    .action(() =>
      context.report(
        (client) => client.hashKeys.create(),
        (key) => viewKeys({ items: [key] }),
      ),
    );
  hashKeys
    .command('hash-id')
    .description('show the hashes by which records name a person or a session, one per key')
    .argument('<kind>', 'actor or session')
    .argument('<id>', 'the id, as the application sends it; - reads it from standard input')
    .action(async (kind: string, id: string) => {
      const given = id === '-' ? (await readTextInput(context.io, id)).replace(/\r?\n$/, '') : id;
      const request = parseWith(hashIdRequest, { kind, id: given });
      await context.report(async (client) => ({ items: await client.hashKeys.hashId(request) }), viewHashes);
    });
}

function viewHashes({ items }: IdHashList): Block {
  return asTable(
    ['key', 'active', 'hash'],
    items.map((item) => [item.hash_key_id, item.active, item.hash]),
  );
}

function viewKeys({ items }: { readonly items: readonly HashKey[] }): Block {
  return asTable(
    ['id', 'active', 'created'],
    items.map((key) => [key.id, key.active, key.created_at]),
  );
}
