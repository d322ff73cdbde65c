import { type Command, Option } from 'commander';
import {
  factsOf,
  WORKSPACE_ENTRY_TYPES,
  workspaceEntryFilters,
  type WorkspaceEntryItem,
  type WorkspaceEntryWithReceipt,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { writeOutput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { addTimeFilters, fieldsOf } from '../options.ts';
import { asFields, asTable, type Block, type Cell } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';

type ShowOptions = { readonly receiptOut?: string; readonly entryOut?: string };

/** `entries list` and `entries show`: what was done in the workspace, as the log has it. */
export function addEntryCommands(program: Command, context: Context): void {
  const entries = program.command('entries').description('what was done in the workspace (managers only)');
  const list = entries
    .command('list')
    .description('list settings, policies, keys, tokens, members, exports, runs and reveals, newest first')
    .addOption(new Option('--type <type>', 'only entries of this type').choices(WORKSPACE_ENTRY_TYPES))
    .option('--actor-id <id>', 'only what this member, application or part of the service did')
    .option('--record <id>', 'only readings of the texts of this record');
  addPageOptions(addTimeFilters(list, context.io)).action(async (options: PageOptions) => {
    const filters = parseWith(workspaceEntryFilters, fieldsOf(workspaceEntryFilters, options));
    const found = await (await context.connect()).entries.list(filters, pageOf(options));
    showList(context, found, viewEntries, options, 'entries');
  });
  entries
    .command('show')
    .description('show one entry with what it changed; its receipt proves that the log has it')
    .argument('<id>', 'id of the entry')
    .option('--receipt-out <file>', 'write its receipt (.tlog-proof) to this file')
    .option('--entry-out <file>', 'write its ledger entry to this file')
    .action(async (id: string, { receiptOut, entryOut }: ShowOptions) => {
      const entry = await (await context.connect()).entries.get(id);
      context.show({ json: entry, blocks: () => viewEntry(entry) });
      if (receiptOut !== undefined) await writeOutput(context.io, receiptOut, entry.receipt);
      if (entryOut !== undefined) await writeOutput(context.io, entryOut, entry.ledger.entry);
    });
}

function viewEntries(items: readonly WorkspaceEntryItem[]): Block {
  return asTable(
    ['id', 'at', 'type', 'actor', 'what', 'leaf'],
    items.map((entry) => [
      entry.id,
      entry.created_at,
      entry.type,
      nameActor(entry),
      summarize(entry),
      entry.ledger.leaf_index,
    ]),
  );
}

function viewEntry(entry: WorkspaceEntryWithReceipt): readonly Block[] {
  const { id: _, nonce: __, actor: ___, ...core } = entry.core;
  const fields: readonly (readonly [string, Cell])[] = [
    ['id', entry.id],
    ['at', entry.created_at],
    ['type', entry.type],
    ['actor', nameActor(entry)],
    ['leaf', entry.ledger.leaf_index],
    ...(entry.changes === null ? Object.entries(core) : []).map(
      ([name, value]) => [name, nameOf(entry, value) ?? null] as const,
    ),
  ];
  if (entry.changes === null) return [asFields(fields)];
  return [
    asFields(fields),
    asTable(
      ['changed', 'before', 'after'],
      entry.changes.map(({ name, before, after }) => [name, JSON.stringify(before), JSON.stringify(after)]),
    ),
  ];
}

/** What an entry is about, in one cell. */
function summarize(entry: WorkspaceEntryItem): Cell {
  if (entry.changes !== null) return entry.changes.map(({ name }) => name).join(' ');
  return factsOf(entry)
    .map(({ value, name }) => (name === undefined ? value : `${name} (${value})`))
    .join(' ');
}

function nameActor({ actor, names }: WorkspaceEntryItem): Cell {
  if (actor === null) return null;
  const name = names.find(({ id }) => id === actor.id)?.name;
  return name ?? `${actor.kind} ${actor.id}`;
}

/** A value of a core as text; an id with the name that it has. */
function nameOf({ names }: WorkspaceEntryItem, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return JSON.stringify(value);
  const name = names.find(({ id }) => id === value)?.name;
  return name === undefined ? value : `${name} (${value})`;
}
