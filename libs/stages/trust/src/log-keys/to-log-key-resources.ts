import type { LogKey, LogKeyItem } from '@answer-evidence/contracts';
import { type LogKeyRange, stateOfKey } from '@answer-evidence/ledger';
import type { TreeSigner } from '@answer-evidence/ports';

/** The keys of a log with the tree sizes that each signs, as bundles and trust files have them; oldest first. */
export function toLogKeyResources({ keys }: TreeSigner): LogKey[] {
  return toLogKeyRangeResources(keys);
}

/** The same of keys that may sign no more, such as those of an earlier name of the log. */
export function toLogKeyRangeResources(keys: readonly LogKeyRange[]): LogKey[] {
  return keys.map(({ vkey, firstTreeSize, lastTreeSize }) => ({
    vkey,
    first_tree_size: firstTreeSize,
    last_tree_size: lastTreeSize,
  }));
}

/** The same with what each key is now, as the API lists them. */
export function listLogKeys({ keys }: TreeSigner): LogKeyItem[] {
  return keys.map((key) => ({
    vkey: key.vkey,
    first_tree_size: key.firstTreeSize,
    last_tree_size: key.lastTreeSize,
    purpose: 'checkpoint',
    state: stateOfKey(keys, key),
  }));
}
