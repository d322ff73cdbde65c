import { formatEntry } from '@answer-evidence/commitments';
import type { ServiceError } from '@answer-evidence/contracts';
import { type AppendedLeaves, appendLeaves, leafHash } from '@answer-evidence/merkle';
import type { CommitRow, LeafRow } from '@answer-evidence/tables';
import type { AppendCommand, AppendedEntries, AppendedEntry, Write } from './append-command.ts';
import { BatchState, type LoadedState } from './batch-state.ts';
import type { Head } from './head.ts';

/** What became of one command of a batch, in the order of the commands. */
export type PlannedOutcome =
  | { readonly kind: 'appended'; readonly entries: AppendedEntries }
  | { readonly kind: 'replayed'; readonly objectId: string }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'reprepare' };

/** All that one transaction writes; `commit` is undefined when no command appended anything. */
export type AppendPlan = {
  readonly outcomes: readonly PlannedOutcome[];
  readonly head: Head;
  readonly root: Uint8Array;
  readonly leaves: readonly LeafRow[];
  readonly writes: readonly Write[];
  readonly commit: CommitRow | undefined;
};

type Placed = { readonly leaf: LeafRow; readonly entry: string };

/**
 * Decides a batch: each command in arrival order, seeing the database as it is under the head lock and the commands
 * before it. Pure: the same head, knowledge, time and commands give the same plan. The time of a leaf is the clock's,
 * or one microsecond after the leaf before when the clock is behind, so times ascend strictly whatever the clock does.
 */
export function planAppend(
  head: Head,
  known: LoadedState,
  nowMicros: number,
  commands: readonly AppendCommand[],
): AppendPlan {
  const view = new BatchState(known, {
    settingsVersion: head.settingsVersion,
    leafIndex: head.treeSize,
    at: Math.max(nowMicros, head.lastAt + 1),
  });
  const placed: Placed[] = [];
  const writes: Write[] = [];
  const decided = commands.map((command) => {
    const decision = command.decide(view);
    if (decision.kind !== 'append') return decision;
    const [first] = decision.entries;
    if (first === undefined) throw new Error('a command that appends has at least one entry');
    const from = placed.length;
    decision.entries.forEach((entry, n) => {
      const fields = { ...entry, at: view.at + n };
      const text = formatEntry(fields);
      placed.push({ leaf: { ...fields, leaf_index: view.leafIndex + n, leaf_hash: leafHash(text) }, entry: text });
    });
    for (const write of decision.writes) writes.push(write);
    view.apply(decision.writes, first.hash, decision.entries.length);
    return { kind: 'placed' as const, from, to: placed.length };
  });

  const leaves = placed.map(({ leaf }) => leaf);
  const grown = appendLeaves(
    head.treeSize,
    head.frontier,
    leaves.map((leaf) => leaf.leaf_hash),
  );
  const outcomes = decided.map((decision): PlannedOutcome => {
    switch (decision.kind) {
      case 'placed':
        return {
          kind: 'appended',
          // At least one, as was checked when they were placed.
          entries: placed
            .slice(decision.from, decision.to)
            .map(
              ({ leaf, entry }, n) => new PlannedEntry(leaf, entry, grown, decision.from + n),
            ) as readonly AppendedEntry[] as AppendedEntries,
        };
      case 'replay':
        return { kind: 'replayed', objectId: decision.objectId };
      case 'refuse':
        return { kind: 'refused', error: decision.error };
      case 'reprepare':
        return { kind: 'reprepare' };
    }
  });
  return {
    outcomes,
    head: {
      treeSize: grown.size,
      frontier: grown.frontier,
      lastAt: leaves.at(-1)?.at ?? head.lastAt,
      settingsVersion: view.settings.version,
    },
    root: grown.root,
    leaves,
    writes,
    commit: leaves.length === 0 ? undefined : { from_size: head.treeSize, tree_size: grown.size, root: grown.root },
  };
}

/** Only some callers want a receipt: a proof is made when it is looked at. */
class PlannedEntry implements AppendedEntry {
  readonly type: AppendedEntry['type'];
  readonly id: string;
  readonly leafIndex: number;
  readonly at: number;
  readonly hash: Uint8Array;
  readonly leafHash: Uint8Array;
  readonly entry: string;
  readonly #tree: AppendedLeaves;
  readonly #place: number;

  /** `place`: which of the new leaves of the tree it is. */
  constructor(leaf: LeafRow, entry: string, tree: AppendedLeaves, place: number) {
    this.type = leaf.type;
    this.id = leaf.id;
    this.leafIndex = leaf.leaf_index;
    this.at = leaf.at;
    this.hash = leaf.hash;
    this.leafHash = leaf.leaf_hash;
    this.entry = entry;
    this.#tree = tree;
    this.#place = place;
  }

  get proof(): readonly Uint8Array[] {
    return this.#tree.proofOf(this.#place);
  }
}
