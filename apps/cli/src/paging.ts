import type { Command } from 'commander';
import type { PageRequest } from '@answer-evidence/client';
import type { Context } from './context.ts';
import { given, parseCount } from './options.ts';
import type { Block } from './output/blocks.ts';

/** Options of a list: which piece of it, and which columns. */
export type PageOptions = PageRequest & ColumnOptions;

type ColumnOptions = { readonly columns?: readonly string[] };

/** Adds those options. */
export function addPageOptions(command: Command): Command {
  return addNumberedPageOptions(command).option('--cursor <cursor>', 'continue from the cursor of an earlier page');
}

/** The same for a list that has numbered pages only. */
export function addNumberedPageOptions(command: Command): Command {
  return addSizeOptions(command.option('--page <n>', 'which page', parseCount));
}

/** The same for a list without numbered pages. */
export function addCursorOptions(command: Command): Command {
  return addSizeOptions(command).option('--cursor <cursor>', 'continue from the cursor of an earlier page');
}

function addSizeOptions(command: Command): Command {
  return command
    .option('--size <n>', 'page size, at most 200', parseCount)
    .option('--columns <names>', 'only these columns, separated by commas (table and csv)', splitNames);
}

function splitNames(value: string): readonly string[] {
  return value.split(',').map((name) => name.trim());
}

/** The piece that the options ask for. */
export function pageOf({ page, size, cursor }: PageOptions): PageRequest {
  return given({ page, size, cursor });
}

type List<T> = {
  readonly items: readonly T[];
  readonly total?: number;
  readonly total_relation?: string;
  readonly next_cursor?: string | null;
};

/** Shows a list, then how much of it that is and how to go on. */
export function showList<T, L extends List<T>>(
  context: Context,
  list: L & List<T>,
  view: (items: readonly T[]) => readonly Block[] | Block,
  { columns }: ColumnOptions,
  noun: string,
): void {
  context.show({ json: list, blocks: () => view(list.items), columns });
  const { items, total, total_relation: relation, next_cursor: cursor = null } = list;
  if (cursor === null && (total === undefined || context.isQuiet())) return;
  const of = total === undefined ? '' : ` of ${relation === 'gte' ? 'at least ' : ''}${total}`;
  const next = cursor === null ? '' : `; next: --cursor ${cursor}`;
  context.note(`${items.length}${of} ${noun}${next}`);
}
