import { formatEntry } from '@answer-evidence/commitments';
import type { Workspace } from '@answer-evidence/ports';
import { type LogView, OrderFaults, type ProvenLeaf, SequenceOrder } from '@answer-evidence/verify';
import type { TrustDeps } from '../deps.ts';

/** The log as the database has it: the leaves about a subject, and the order of shown leaves among their neighbours. */
export function viewStoredLog({ logs }: Pick<TrustDeps, 'logs'>, { id }: Workspace): LogView {
  return {
    verified: 'database',
    async entriesNaming(subject, treeSize) {
      const leaves = await logs.leavesOf(id, subject, treeSize);
      return leaves.map((leaf) => ({ leaf_index: leaf.leaf_index, entry: formatEntry(leaf) }));
    },
    async orderBelow(treeSize, shown) {
      const faults = new OrderFaults();
      let read = 0;
      for (const { from, to } of aroundLeaves(shown, treeSize)) {
        const order = new SequenceOrder();
        for (const leaf of await logs.leaves(id, from, to)) {
          const found = order.add(leaf, { size: leaf.leaf_index, isWhole: false });
          faults.add(found.map((fault) => `leaf ${leaf.leaf_index} ${fault}`));
          read += 1;
        }
      }
      const described = `${read} leaves in the database, those of the record and the ones beside them,`;
      return { read: described, disorder: faults.describe() };
    },
  };
}

/** Ranges with each leaf and the ones before and after it; what touches is one range. */
function aroundLeaves(shown: readonly ProvenLeaf[], treeSize: number): readonly { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  const indexes = shown.map(({ leaf_index: index }) => index);
  for (const leaf of indexes.toSorted((a, b) => a - b)) {
    const [from, to] = [Math.max(0, leaf - 1), Math.min(treeSize, leaf + 2)];
    const last = ranges.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  }
  return ranges;
}
