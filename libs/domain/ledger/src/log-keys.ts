/** A key of a log and the tree sizes it signs, both ends included; `lastTreeSize` is null while it is live. */
export type LogKeyRange = {
  readonly vkey: string;
  readonly firstTreeSize: number;
  readonly lastTreeSize: number | null;
};

/** What a `ledger_key_changed` entry says, and the index of its leaf. */
export type LogKeyChange = { readonly vkey: string; readonly change: 'added' | 'retired'; readonly leafIndex: number };

/** The log got another name at this leaf: under it, the keys begin anew with the one that the entry names. */
export type LogRenaming = {
  readonly change: 'renamed';
  readonly from: { readonly origin: string; readonly vkey: string };
};

/** A name that the log had, with the keys of that name. */
export type EarlierName = { readonly origin: string; readonly keys: readonly LogKeyRange[] };

/** The changes since the log has its present name, and the names before with their keys. */
export function splitByName(history: readonly (LogKeyChange | LogRenaming)[]): {
  readonly changes: readonly LogKeyChange[];
  readonly earlier: readonly EarlierName[];
} {
  let changes: LogKeyChange[] = [];
  const earlier: EarlierName[] = [];
  for (const item of history) {
    if (item.change !== 'renamed') changes.push(item);
    else {
      earlier.push({ origin: item.from.origin, keys: rangesOf(item.from.vkey, changes) });
      changes = [];
    }
  }
  return { changes, earlier };
}

/** Most keys that sign one tree: the one that goes and the one that comes. */
export const LIVE_KEYS_MAX = 2;

/**
 * The keys of a log, oldest first, from the key of its genesis and the changes in order. A tree that contains the entry
 * of a new key is also signed by it; a tree that contains the entry of its retirement no longer is.
 */
export function rangesOf(firstVkey: string, changes: readonly LogKeyChange[]): readonly LogKeyRange[] {
  let keys: readonly LogKeyRange[] = [{ vkey: firstVkey, firstTreeSize: 0, lastTreeSize: null }];
  for (const { vkey, change, leafIndex } of changes) {
    keys =
      change === 'added'
        ? [...keys, { vkey, firstTreeSize: leafIndex + 1, lastTreeSize: null }]
        : keys.map((key) =>
            key.vkey === vkey && key.lastTreeSize === null ? { ...key, lastTreeSize: leafIndex } : key,
          );
  }
  return keys;
}

/** The keys that sign a tree of this size. */
export function keysSigning<Key extends LogKeyRange>(keys: readonly Key[], treeSize: number): readonly Key[] {
  return keys.filter(
    ({ firstTreeSize, lastTreeSize }) =>
      firstTreeSize <= treeSize && (lastTreeSize === null || treeSize <= lastTreeSize),
  );
}

/** What a key is now: the newest of two live ones is still to take over. */
export function stateOfKey(keys: readonly LogKeyRange[], key: LogKeyRange): 'next' | 'active' | 'retired' {
  if (key.lastTreeSize !== null) return 'retired';
  const [oldest] = keys.filter(({ lastTreeSize }) => lastTreeSize === null);
  return oldest === key ? 'active' : 'next';
}
