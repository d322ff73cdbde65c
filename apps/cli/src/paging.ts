import type { Command } from 'commander';
import type { PageRequest } from '@answer-evidence/client';
import type { Context } from './context.ts';
import { given, parseCount } from './options.ts';

/** Options that say which piece of a list. */
export type PageOptions = PageRequest;

/** Adds those options. */
export function addPageOptions(command: Command): Command {
  return command
    .option('--page <n>', 'which page', parseCount)
    .option('--size <n>', 'page size, at most 200', parseCount)
    .option('--cursor <cursor>', 'continue from the cursor of an earlier page');
}

/** The piece that the options ask for. */
export function pageOf({ page, size, cursor }: PageOptions): PageRequest {
  return given({ page, size, cursor });
}

type List = {
  readonly items: readonly unknown[];
  readonly total: number;
  readonly total_relation: string;
  readonly next_cursor: string | null;
};

/** Says how much of a list is shown, and how to go on. */
export function noteCount(context: Context, { items, total, ...list }: List, noun: string): void {
  const next = list.next_cursor === null ? '' : `; next: --cursor ${list.next_cursor}`;
  context.note(`${items.length} of ${list.total_relation === 'gte' ? 'at least ' : ''}${total} ${noun}${next}`);
}
