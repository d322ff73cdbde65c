import type { ReducedItem } from '../read/reduced-item.ts';
import { isLater } from './span-order.ts';
import { createSpanTree } from './span-tree.ts';

/**
 * Whether the last that a model said in a trace is that it needs a tool, below a span that has not come: the run goes
 * on, however quiet it is, and what was said before is a step of it.
 */
export function awaitsTool(items: readonly ReducedItem[]): boolean {
  const calls = items.filter(({ kind, answer, asked, continued }) => {
    return kind === 'span' && (answer !== null || asked !== null || continued !== undefined);
  });
  if (!calls.some(({ continued }) => continued !== undefined)) return false;
  const last = calls.reduce((known, one) => (isLater(one, known) ? one : known));
  return last.continued !== undefined && createSpanTree(items).isOpen(last);
}
