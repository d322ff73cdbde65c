import { formatHex, parseHex } from '@answer-evidence/encoding';
import { type OrderSoFar, SequenceOrder } from '@answer-evidence/verify';
import type { SettingsChange } from './settings-series.ts';
import { TreeBuilder } from './tree-builder.ts';

/**
 * A log as a check saw it that found no fault: what a later check goes on from, so that it need not begin at leaf 0.
 * Plain data, some kilobytes: the tree by its perfect subtrees, and what the rules of the log remember of its leaves.
 */
export type CheckedLog = {
  readonly treeSize: number;
  /** As hex. */
  readonly rootHash: string;
  /** Roots of the perfect subtrees, largest first, as hex. */
  readonly frontier: readonly string[];
  readonly settings: readonly SettingsChange[];
  readonly epochRoots: readonly (readonly [leafIndex: number, root: string])[];
  readonly logIds: readonly string[];
  readonly order: OrderSoFar;
  readonly firstAt: number;
};

/** The tree and the rules of order of such a log, or of an empty one. */
export function resumeLog(log: CheckedLog | undefined): { readonly tree: TreeBuilder; readonly order: SequenceOrder } {
  return {
    tree: new TreeBuilder(
      log?.treeSize,
      log?.frontier.map((root) => parseHex(root)),
    ),
    order: new SequenceOrder(log?.order),
  };
}

/** The log that was walked, for the next check. */
export function describeLog(
  tree: TreeBuilder,
  rest: Pick<CheckedLog, 'settings' | 'epochRoots' | 'logIds' | 'order' | 'firstAt'>,
): CheckedLog {
  return {
    treeSize: tree.size,
    rootHash: formatHex(tree.root()),
    frontier: tree.frontier.map((root) => formatHex(root)),
    ...rest,
  };
}
